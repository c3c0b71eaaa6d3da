"""The products of a business as people see them: its own page, and those of our staff."""
