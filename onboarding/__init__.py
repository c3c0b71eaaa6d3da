"""Onboarding: from the first answer to a scored submission that is cleared to contract."""
