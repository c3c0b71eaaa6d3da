"""Facts found about a PDF and its seal or about a zip, and whom we trust: plain values.

Kept apart from `inspection`, because that imports pyHanko, which takes a second.
"""

from dataclasses import dataclass
from typing import Literal

# First bytes of every PDF.
MAGIC = b"%PDF-"

StampState = Literal["none", "trusted", "simulated", "unknown"]


@dataclass(frozen=True)
class Trust:
    """Certificates (DER) of roots that we trust for seals, and for time stamps."""

    roots: tuple[bytes, ...]
    time_roots: tuple[bytes, ...] = ()


@dataclass(frozen=True)
class Findings:
    """Findings about one file. Times are RFC 3339, certificates are given by SHA-256."""

    sha256: str
    unreadable: str = ""  # why it cannot be read; the rest is then empty
    gave_up: bool = False  # unreadable because of our limits, not because of the file
    seals: int = 0
    intact: bool = False  # the bytes are the ones that were signed
    valid: bool = False  # the signature matches the key
    whole: bool = False  # the signature covers the whole file
    root: str = ""  # the trusted root of its certificate
    certificate: str = ""
    sealed_by: str = ""  # name in the certificate; proves nothing without the root
    stamp: StampState = "none"
    stamped_at: str = ""
    # Name and SHA-256 of each file, if the file is a zip.
    files: tuple[tuple[str, str], ...] = ()
    reviewed_sha256: str = ""  # of the document before sealing
    difference: str = ""  # how it differs from that document; checked only under our root

    @property
    def fault(self) -> str:
        """The first problem with the file itself, in words, or ""."""
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
