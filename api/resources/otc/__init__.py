"""OTC orders: an asset is bought or sold for a currency, at the price of the moment."""
