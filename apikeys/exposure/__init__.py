"""Keys that became public: who shows a whole one has proved the leak, and it is revoked at once."""
