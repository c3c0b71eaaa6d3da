"""What the sandbox holds: one folder for each product group, with its verbs and tables."""
