"""Payments of both environments: models by product group, their functions and the ledger."""
