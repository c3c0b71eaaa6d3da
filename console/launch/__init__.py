"""The launcher behind `make`: set-up, starting and supervising all processes, checks and proofs."""
