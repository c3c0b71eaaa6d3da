"""Pages for auditors and operators: the audit log and background work."""
