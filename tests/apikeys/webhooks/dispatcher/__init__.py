"""The running dispatcher."""
