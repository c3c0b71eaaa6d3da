"""Whom this console believes, from settings: our roots, and those who may state the time."""

from agreements import certificates, pki, time_stamping
from agreements.inspecting import Trust


def trust() -> Trust:
    """Return the certificates that make a seal ours and a time stamp good."""
    roots = tuple(certificates.der(root) for root in pki.roots())
    return Trust(roots, time_stamping.roots())
