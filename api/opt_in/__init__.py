"""The page on which our account team opens a currency for a business, or ends it."""
