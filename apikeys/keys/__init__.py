"""Keys: issue, revoke and expire them, and the pages of a business's keys."""
