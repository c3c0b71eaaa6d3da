"""The list of restricted countries and regions, and how a restricted place is refused."""
