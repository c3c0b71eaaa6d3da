"""Whom this console believes, from settings: our roots, and those who may state the time."""

from agreements.pki import certificates, seal_keys, time_stamping
from agreements.pki.seal_keys import SealMissing
from agreements.verification.findings import Trust


def trust() -> Trust:
    """Return the certificates that make a seal ours and a time stamp good, or raise SealMissing."""
    try:
        roots = tuple(certificates.der(root) for root in seal_keys.roots())
        return Trust(roots, time_stamping.roots())
    except (OSError, ValueError) as broken:
        raise SealMissing(f"The roots that we trust cannot be read: {broken}") from broken
