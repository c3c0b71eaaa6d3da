"""What is true of a PDF and its seal, and whom we believe about it: plain values.

They stand apart from what finds them out: that takes pyHanko, which takes a second to import.
"""

from dataclasses import dataclass
from typing import Literal

# What every PDF begins with.
MAGIC = b"%PDF-"

StampState = Literal["none", "trusted", "simulated", "unknown"]


@dataclass(frozen=True)
class Trust:
    """Certificates (DER) whose seals are ours, and those whose time stamps we believe."""

    roots: tuple[bytes, ...]
    time_roots: tuple[bytes, ...] = ()


@dataclass(frozen=True)
class Findings:
    """What is true of one file. Times are RFC 3339, certificates their SHA-256."""

    sha256: str
    size: int
    unreadable: str = ""  # why it cannot be read; all below is then empty
    gave_up: bool = False  # the reason is our limits, and says nothing about the file
    seals: int = 0
    intact: bool = False  # the bytes are those that were signed
    valid: bool = False  # the signature belongs to the key
    whole: bool = False  # nothing of the file is outside the signature
    root: str = ""  # the trusted root that it leads to
    certificate: str = ""
    sealed_by: str = ""  # the name in the certificate, which proves nothing without the root
    claimed_at: str = ""  # the time that the sealer's own clock said
    stamp: StampState = "none"
    stamped_at: str = ""
    reviewed_bytes: int = 0
    reviewed_sha256: str = ""  # of the document before it was sealed
    difference: str = ""  # how it differs from that document; only looked at under our root

    @property
    def fault(self) -> str:
        """The first thing wrong with the file itself, in words; empty when nothing is."""
        said = {
            f"it cannot be read: {self.unreadable}": self.unreadable,
            "it has no seal": not self.seals,
            "it has more than one seal": self.seals > 1,
            "its content is not what was sealed": not self.intact,
            "its seal is not a valid signature": not self.valid,
            "it contains bytes that the seal does not cover": not self.whole,
            self.difference: self.difference,
        }
        return next((words for words, holds in said.items() if holds), "")
