"""Our company's details for contracts: one person enters them, another puts them in use."""
