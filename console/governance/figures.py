"""Figures about the audit log."""

from collections.abc import Iterator
from datetime import datetime

from console.audit import chain_checks, heads, history
from console.observability.figures import Figure, age, single


def read() -> Iterator[Figure]:
    head, check = heads.last_night(), chain_checks.last()
    about = "Time since a head was published at night, or since the first entry if none was."
    yield single("audit_head_age_seconds", about, _age(head.at if head else None))
    about = "Time since the chain was checked, or since the first entry if it never was."
    yield single("audit_check_age_seconds", about, _age(check.at if check else None))
    yield single(
        "audit_check_findings", "What the last check found.", check.found if check else None
    )


def _age(moment: datetime | None) -> float | None:
    """Return the age of what is done at night, which a new installation has not done yet."""
    found = moment or history.began_at()
    return age(found) if found else None
