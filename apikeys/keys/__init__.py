"""API keys: issue, rotate, revoke and expire them, and the pages for a business's keys."""
