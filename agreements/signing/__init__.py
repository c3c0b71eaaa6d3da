"""The business's pages of a pack: read each document, see what is missing, and sign once."""
