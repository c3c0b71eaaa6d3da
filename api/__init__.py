"""What a key opens: the door, and the operations behind it."""
