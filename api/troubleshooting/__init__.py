"""Pages on which a business, or our staff, look into its calls: the log, and why one fails."""
