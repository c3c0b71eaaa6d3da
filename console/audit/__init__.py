"""Who did what to which thing, when: append-only, and chained so that a change shows."""
