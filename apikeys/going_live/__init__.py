"""From a sandbox that works to live: what must be true, who asks, who decides, and who confirms."""
