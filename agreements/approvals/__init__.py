"""What our people decide about a signed pack, and the countersignature."""
