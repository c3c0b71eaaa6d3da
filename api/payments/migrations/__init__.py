"""How these tables came to be."""
