"""The seal, compared with that of the other hosts."""

from collections.abc import Mapping

from agreements.pki import certificates, seal_keys
from console.hosts.shared_values import HostComparison

_SHOWN = 16


def of_certificate(known: Mapping[int, str]) -> HostComparison:
    """Compare the certificate with the newest of the installation. Another one renews it."""
    try:
        here = certificates.fingerprint(seal_keys.certificate())
    except seal_keys.SealMissing:  # not every part has the seal
        return HostComparison()
    newest = max(known, default=0)
    if known.get(newest) == here:
        return HostComparison(here[:_SHOWN])
    if here in known.values():
        wrong = f"The seal {here[:_SHOWN]} was replaced by {known[newest][:_SHOWN]} on other hosts."
        return HostComparison(here[:_SHOWN], problems=[wrong])
    return HostComparison(here[:_SHOWN], {newest + 1: here})


def of_roots(known: Mapping[int, str]) -> HostComparison:
    """Require every root under which hosts have sealed: a renewal keeps those before it."""
    try:
        here = [certificates.fingerprint(root) for root in seal_keys.roots()]
    except (OSError, ValueError):
        here = []
    if not here:
        return HostComparison()
    wrong = [
        f"SEAL_ROOT_FILE lacks the root {root[:_SHOWN]} of the other hosts' seal."
        for root in known.values()
        if root not in here
    ]
    unknown = sorted(set(here) - set(known.values()))
    new = dict(enumerate(unknown, max(known, default=0) + 1))
    return HostComparison(", ".join(root[:_SHOWN] for root in sorted(here)), new, wrong)
