"""What a verdict is made from: its outcomes, and what is registered."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from agreements.verification.file_kinds import FileKind


class Outcome(StrEnum):
    """The answers, in the order in which they are looked for."""

    UNREADABLE = "unreadable"
    NOT_SEALED = "not_sealed"
    ALTERED = "altered"
    FOREIGN = "foreign"
    UNKNOWN = "unknown"  # a fingerprint alone that is not in the register
    NOT_EXECUTED = "not_executed"
    CANNOT_TELL = "cannot_tell"
    KEY_WITHDRAWN = "key_withdrawn"
    SHARED = "shared"  # the same file in many packs
    EXECUTED = "executed"


OF_A_PACK = (Outcome.CANNOT_TELL, Outcome.KEY_WITHDRAWN, Outcome.EXECUTED)


@dataclass(frozen=True)
class Registered:
    """What the register holds for one fingerprint.

    `seal_sha256` is the certificate of the seal that its pack was executed with, empty where that
    cannot be found out, and `stamped_at` the independent time of that. `unsigned_sha256` is the
    PDF before its seal, where there is one. Pack and parties are named only to somebody who holds
    the file; a shared file belongs to no pack.
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
