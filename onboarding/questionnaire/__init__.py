"""What we ask: editions as data, the types that read them, and how answers are judged."""
