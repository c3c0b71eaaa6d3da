"""Who does outside what an operation asks for, and the deterministic provider of the sandbox."""
