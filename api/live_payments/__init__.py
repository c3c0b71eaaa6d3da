"""Staff's page of live payments: providers, instructions that are stuck, and differences."""
