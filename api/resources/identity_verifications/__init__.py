"""Identity verifications: whether somebody is who a business says."""
