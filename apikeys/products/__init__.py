"""Products of a business: its own page and the staff pages."""
