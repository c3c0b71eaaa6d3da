"""What payers see of a business: its name and logo, and the sites that may show its payments."""
