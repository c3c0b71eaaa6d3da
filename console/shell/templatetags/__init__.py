"""Template tags for page components, available in every template."""
