"""Restricted countries and regions: the list, and the refusal of answers that name them."""
