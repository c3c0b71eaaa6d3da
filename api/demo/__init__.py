"""The demo world: people and businesses at every stage of the road, made by the real verbs."""
