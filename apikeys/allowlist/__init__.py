"""IP allowlists: the networks from which the keys of a business, or one key, may call."""
