"""One ledger under everything that moves money: balances are the sums of its entries."""
