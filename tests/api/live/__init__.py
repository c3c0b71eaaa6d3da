"""Live with a connected provider."""
