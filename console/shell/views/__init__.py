"""Home, search, health, the theme, the demo world's mail, and what goes wrong."""
