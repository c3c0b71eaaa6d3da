"""Inventory: what a business has in stock, and what of it is reserved."""
