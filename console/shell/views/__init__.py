"""Pages of the shell: home, search, health, theme, demo e-mail and errors."""
