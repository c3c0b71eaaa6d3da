"""Our staff's approvals and countersignature of signed packs."""
