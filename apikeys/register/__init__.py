"""The business register: each business's stage, and the search for staff."""
