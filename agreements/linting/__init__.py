"""Rules that every template version must pass before it is published."""
