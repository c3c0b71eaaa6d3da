"""Orders: what a payer is asked for, on a page of its own."""
