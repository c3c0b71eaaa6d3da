"""The wording of our documents: versioned templates, the facts they use, and which are chosen."""
