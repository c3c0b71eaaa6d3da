"""The audit log: who did what to which object and when, append-only and tamper-evident."""
