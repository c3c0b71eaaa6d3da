"""Remittance: beneficiaries, the corridors that are open, and transfers along them."""
