"""What a key opens: the API, and the sandbox behind it."""
