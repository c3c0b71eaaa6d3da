"""Going live: the checklist, the request, its approval and the business's confirmation."""
