"""From the first question to a scored submission that is cleared to contract."""
