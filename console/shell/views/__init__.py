"""Pages of the shell: home, search, theme, demo e-mail and errors."""
