"""The stored files that packs, revisions, documents, signatures and decisions name."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Model

from agreements.models import Decision, Document, Pack, Revision, SignatureAct
from console.backups import named_files

_COLUMNS: dict[type[Model], tuple[str, ...]] = {
    Pack: ("manifest_sha256", "certificate_sha256", "bundle_sha256"),
    Revision: (
        *("facts_sha256", "ruleset_sha256", "trace_sha256", "profile_sha256"),
        *("offer_sha256", "signed_set_sha256"),
    ),
    Document: ("html_sha256", "unsigned_sha256", "sealed_sha256"),
    SignatureAct: ("act_sha256",),
    Decision: ("decision_sha256",),
}


def named() -> Iterator[named_files.NamedFile]:
    """Return every file that they name."""
    for model, columns in _COLUMNS.items():
        manager: Any = model._default_manager
        yield from named_files.rows(manager.all(), *columns)
