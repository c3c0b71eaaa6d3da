"""Sandbox: models by product group, their functions, ledger and simulated provider."""
