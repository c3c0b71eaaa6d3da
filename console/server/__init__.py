"""How a request reaches a thread: received whole first, then answered by one of its own pool."""
