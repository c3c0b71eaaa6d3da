"""Outcomes of verification, and the registered file that a verdict is about."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from agreements.verification.file_kinds import FileKind


class Outcome(StrEnum):
    """Possible outcomes, in the order in which they are checked."""

    REPACKED_DIFFERENT = "repacked_different"  # a zip with files of a pack, but not all as executed
    UNREADABLE = "unreadable"
    NOT_SEALED = "not_sealed"
    ALTERED = "altered"
    FOREIGN = "foreign"
    UNKNOWN = "unknown"  # only a hash was given, and it is not in the register
    NOT_EXECUTED = "not_executed"
    CANNOT_TELL = "cannot_tell"
    KEY_WITHDRAWN = "key_withdrawn"
    REPACKED = "repacked"  # a zip of somebody else, whose files are all those of a pack
    SHARED = "shared"  # the same file is in many packs
    EXECUTED = "executed"


OF_A_PACK = (Outcome.CANNOT_TELL, Outcome.KEY_WITHDRAWN, Outcome.REPACKED, Outcome.EXECUTED)


@dataclass(frozen=True)
class Registered:
    """A registered file, found by its hash.

    `seal_sha256` is the certificate of the pack's seal, empty if unknown, and `stamped_at` the
    independent time of that seal. `unsigned_sha256` is the PDF before sealing, if there is one.
    Pack and parties are named only to a person who holds the file; a shared file belongs to no
    pack.
    """

    kind: FileKind
    executed: bool = False
    title: str = ""
    unsigned_sha256: str = ""
    executed_at: datetime | None = None
    seal_sha256: str = ""
    stamped_at: datetime | None = None
    shared: bool = False
    pack: str = ""
    parties: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.title or self.kind.title
