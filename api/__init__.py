"""What a key opens: two API families over one set of verbs."""
