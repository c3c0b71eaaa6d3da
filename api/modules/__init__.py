"""Product pages in a business's console: what its API calls created, and what they can read."""
