"""Documentation pages of the API."""
