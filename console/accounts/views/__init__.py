"""Pages of users and businesses."""
