"""Figures about the audit log."""

from collections.abc import Iterator

from console.audit import chain_checks, heads
from console.observability.figures import Figure, age, single


def read() -> Iterator[Figure]:
    head, check = heads.last_night(), chain_checks.last()
    yield single(
        "audit_head_age_seconds",
        "Time since a head was published at night.",
        age(head.at if head else None),
    )
    yield single(
        "audit_check_age_seconds",
        "Time since the chain was checked.",
        age(check.at if check else None),
    )
    yield single(
        "audit_check_findings", "What the last check found.", check.found if check else None
    )
