"""Virtual accounts: numbers that payers transfer to, and the deposits that arrive on them."""
