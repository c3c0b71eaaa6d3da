"""Allowlists: the networks from which the keys of a business, or one key, may be used."""
