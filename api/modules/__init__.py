"""Pages of the products in a business's console: what its calls made, and what they can read."""
