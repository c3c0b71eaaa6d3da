"""Quotes: what an amount comes to in another currency, binding for a minute and for one use."""
