"""The pages of people and businesses."""
