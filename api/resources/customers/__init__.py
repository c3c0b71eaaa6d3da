"""The customers of a business, as it keeps them here."""
