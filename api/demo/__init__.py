"""Demo data: people and businesses at every stage, created with the product's own functions."""
