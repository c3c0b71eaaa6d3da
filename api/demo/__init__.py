"""The demo world: people and businesses at every stage, made by the real verbs."""
