"""What a key opens: the gateway, and the operations behind it."""
