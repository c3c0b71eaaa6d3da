"""Whom this console believes, from settings: our roots, and those who may state the time."""

from agreements.pki import certificates, seal_keys, time_stamping
from agreements.verification.findings import Trust


def trust() -> Trust:
    """Return the certificates that make a seal ours and a time stamp good."""
    roots = tuple(certificates.der(root) for root in seal_keys.roots())
    return Trust(roots, time_stamping.roots())
