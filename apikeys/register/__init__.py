"""The register of businesses: who is at which stage, and a search over everything."""
