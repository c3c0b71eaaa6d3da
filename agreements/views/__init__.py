"""Pages of agreements."""
