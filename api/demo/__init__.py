"""The demo world: people and businesses at every stage of the stages, made by the real verbs."""
