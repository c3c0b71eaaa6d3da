"""The pages of those who watch over the console: the log, and the work in the background."""
