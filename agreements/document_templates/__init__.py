"""Document templates: versioned wording, the facts it uses, and the selection rules."""
