"""Compare the files of an uploaded zip with the sealed list of the pack they come from.

compare(files)    the pack and a result for each file, or None if no file is from an executed pack
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from django.db.models import Count, Min
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from agreements.models import ExecutedFile
from agreements.verification import executed_files, file_kinds, sealed_list
from agreements.verification.outcomes import Registered


class FileResult(StrEnum):
    """How a file compares with the sealed list, worst first."""

    DIFFERENT = "different"
    ADDED = "added"
    MISSING = "missing"
    SAME = "same"

    @property
    def words(self) -> str:
        return _(_WORDS[self])

    @property
    def tone(self) -> str:
        return "ok" if self == FileResult.SAME else "danger"

    @property
    def icon(self) -> str:
        return "circle-check" if self == FileResult.SAME else "octagon-x"


_WORDS = {
    FileResult.DIFFERENT: gettext_noop("Different from the executed file"),
    FileResult.ADDED: gettext_noop("Not part of the pack"),
    FileResult.MISSING: gettext_noop("Missing from this zip"),
    FileResult.SAME: gettext_noop("As executed"),
}


@dataclass(frozen=True)
class ComparedFile:
    """A file of the zip or the pack, and its result."""

    name: str
    result: FileResult


@dataclass(frozen=True)
class ZipComparison:
    """The pack and a result for each file. `files` is empty if the sealed list is unreadable."""

    registered: Registered
    files: tuple[ComparedFile, ...]

    @property
    def same(self) -> bool:
        return all(one.result == FileResult.SAME for one in self.files)

    def count(self, result: FileResult) -> int:
        return sum(one.result == result for one in self.files)


def compare(files: Sequence[tuple[str, str]]) -> ZipComparison | None:
    """Compare (name, SHA-256) pairs with the pack that most of the files come from."""
    pack_id = _pack_of({sha256 for _name, sha256 in files})
    if pack_id is None:
        return None
    rows = ExecutedFile.objects.select_related("pack__revision", "document")
    row = rows.get(pack=pack_id, name=sealed_list.BUNDLE)
    sealed = sealed_list.files_of(row.pack)
    pack = executed_files.registered(row, holds_file=True, sealed=bool(sealed))
    if not sealed:
        return ZipComparison(replace(pack, kind=file_kinds.UNCOMPARED), ())
    del sealed[sealed_list.BUNDLE]
    compared = [_compared(name, sha256, sealed) for name, sha256 in files]
    found = {_name_in_pack(name, sealed) for name, _sha256 in files}
    compared += [ComparedFile(name, FileResult.MISSING) for name in sealed if name not in found]
    order = list(FileResult)
    return ZipComparison(
        replace(pack, kind=file_kinds.REPACKED),
        tuple(sorted(compared, key=lambda one: (order.index(one.result), one.name))),
    )


def _pack_of(hashes: set[str]) -> int | None:
    """Return the ID of the most common pack, or None. Ignore files that are in several packs."""
    known = ExecutedFile.objects.filter(sha256__in=hashes).values("sha256")
    counted = known.annotate(packs=Count("pack", distinct=True), only=Min("pack"))
    of_one = Counter(counted.filter(packs=1).values_list("only", flat=True))
    return of_one.most_common(1)[0][0] if of_one else None


def _compared(name: str, sha256: str, sealed: dict[str, str]) -> ComparedFile:
    expected = sealed.get(_name_in_pack(name, sealed))
    if expected is None:
        return ComparedFile(name, FileResult.ADDED)
    return ComparedFile(name, FileResult.SAME if sha256 == expected else FileResult.DIFFERENT)


def _name_in_pack(name: str, sealed: dict[str, str]) -> str:
    """Return the name without enclosing folders, or unchanged if the pack has no such file."""
    parts = name.split("/")
    names = ("/".join(parts[start:]) for start in range(len(parts)))
    return next((one for one in names if one in sealed), name)
