"""Certificates that this console trusts, from settings: our roots and time-stamping authorities."""

from agreements.pki import certificates, seal_keys, time_stamping
from agreements.pki.seal_keys import SealMissing
from agreements.verification.findings import Trust


def trust() -> Trust:
    """Return the trusted certificates for seals and time stamps, or raise SealMissing."""
    try:
        roots = tuple(certificates.der(root) for root in seal_keys.roots())
        return Trust(roots, time_stamping.roots())
    except (OSError, ValueError) as broken:
        raise SealMissing(f"The roots that we trust cannot be read: {broken}") from broken
