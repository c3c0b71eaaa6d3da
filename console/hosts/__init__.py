"""What all hosts of an installation must share, and what each part reports about its host."""
