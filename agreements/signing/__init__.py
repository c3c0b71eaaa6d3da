"""The pages of a business's pack: read each document, see what is missing, sign once."""
