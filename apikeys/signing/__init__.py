"""Request signing: whether the calls of a business must be signed."""
