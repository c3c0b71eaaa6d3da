"""Look into a stranger's file, compare it with what we registered, and say what it is worth."""
