"""Verification of every executed pack: its acts, sealed list, rows, files and seals."""

import zipfile
from collections.abc import Iterator
from io import BytesIO

from agreements.models import ExecutedFile, Pack
from agreements.packs import packs
from agreements.pki import revocation
from agreements.pki.seal_keys import SealMissing
from agreements.verification import executed_files, file_kinds, sealed_list, signed_acts, verdicts
from agreements.verification.findings import Trust
from agreements.verification.outcomes import Outcome
from agreements.verification.trust import trust
from console.backups.verifications import ProgressTeller, counted
from console.core import blobs, clock, digests

# A withdrawn seal is known, and no fault of what is stored.
_GOOD = (Outcome.EXECUTED, Outcome.KEY_WITHDRAWN)


def problems(tell: ProgressTeller) -> Iterator[str]:
    """Return a sentence about everything that is wrong with an executed pack."""
    try:
        roots = trust()
    except SealMissing as missing:
        yield str(missing)
        return
    keys = list(Pack.objects.executed().order_by("pk").values_list("pk", flat=True))
    for key in counted(keys, "Packs", tell):
        pack = Pack.objects.select_related("revision").get(pk=key)
        yield from (f"{pack}: {problem}" for problem in _problems_of(pack, roots))


def _problems_of(pack: Pack, roots: Trust) -> Iterator[str]:
    yield from signed_acts.problems(pack)
    listed = sealed_list.files_of(pack)
    if not listed:
        yield "the list of its files is missing, or our seal did not sign it."
        return
    files = ExecutedFile.objects.filter(pack=pack).select_related("pack__revision", "document")
    rows = {row.name: row for row in files}
    if {name: row.sha256 for name, row in rows.items()} != listed:
        yield "the database does not list the same files as its seal."
    if not _named(pack).items() <= listed.items():
        yield "the pack or a document names another file than its seal."
    for name, data in _contents(pack):
        if digests.sha256_hex(data) != listed.get(name):
            yield f"{name} is not as it was sealed."
        elif name in rows and file_kinds.kind_of(name).sealed_pdf:
            yield from _problems_of_seal(rows[name], data, roots)


def _problems_of_seal(row: ExecutedFile, data: bytes, roots: Trust) -> Iterator[str]:
    from agreements.verification import inspection  # pyHanko takes a second to import

    assert row.pack.executed_at is not None
    verdict = verdicts.judge(
        row.sha256,
        executed_files.registered(row, holds_file=False),
        revocation.current(),
        at=clock.now(),
        found=inspection.inspect(data, roots, row.pack.executed_at),
    )
    if verdict.outcome not in _GOOD:
        yield f"{row.name}: {verdict.headline}."


def _named(pack: Pack) -> dict[str, str]:
    """Return the files that the rows of the pack and of its documents name."""
    return {
        sealed_list.BUNDLE: pack.bundle_sha256,
        file_kinds.CERTIFICATE_NAME: pack.certificate_sha256,
        "manifest.json": pack.manifest_sha256,
        **{one.file_name: one.sealed_sha256 for one in packs.documents_of(pack)},
    }


def _contents(pack: Pack) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(BytesIO(blobs.get(pack.bundle_sha256))) as archive:
        for name in archive.namelist():
            yield name.removeprefix(f"{pack.number}/"), archive.read(name)
