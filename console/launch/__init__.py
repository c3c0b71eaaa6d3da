"""The two commands: what sets a machine up, starts the parts, watches them and stops them."""
