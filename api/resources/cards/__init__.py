"""Cards: who holds them, the cards themselves, and what is paid with them."""
