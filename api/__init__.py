"""The API for businesses, and the sandbox behind it."""
