"""What the sandbox holds: tables by product group, the verbs beside them, ledger and provider."""
