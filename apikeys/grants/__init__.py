"""Grants: what a business may hold keys for, and the pages on which our staff see to them."""
