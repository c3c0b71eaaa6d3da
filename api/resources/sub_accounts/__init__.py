"""Sub-accounts: accounts of others that are linked to a business."""
