"""API access grants: what a business may hold keys for, and the staff pages for them."""
