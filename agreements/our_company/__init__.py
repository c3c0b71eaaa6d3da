"""Our own company, as the contracts state it: entered by one person, put in use by another."""
