"""Request signing: whether calls of a business must be signed."""
