"""Manifest of an executed pack: a canonical JSON with the hashes of all its parts.

    Manifest(...).data()            -> the bytes of manifest.json; their SHA-256 identifies the pack
    sums({name: bytes})             -> SHA256SUMS, for `sha256sum -c`

With the manifest and its signature, every file of the pack can be verified offline. The salt
prevents guessing its hash from known facts.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from agreements.pki.certificates import Seal, fingerprint
from agreements.pki.time_stamping import TimeState
from console.core import clock
from console.core.digests import canonical, sha256_hex

DOMAIN = "agr.manifest.v1"
FILE_NAME = re.compile(r"[0-9]{2}-[A-Z][A-Z-]{2,7}\.pdf")
FINGERPRINT = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class SealedDocument:
    """A document: what was read, and its sealed copy. `file` is its name in the bundle."""

    file: str
    code: str
    title: str
    html_sha256: str
    unsigned_sha256: str
    reviewed_bytes: int
    sealed_bytes: int
    sealed_sha256: str

    @classmethod
    def of(
        cls, file: str, *, code: str, title: str, html: bytes, unsigned: bytes, sealed: bytes
    ) -> "SealedDocument":
        """Return a document described by its three forms."""
        shown, before, after = (sha256_hex(data) for data in (html, unsigned, sealed))
        return cls(file, code, title, shown, before, len(unsigned), len(sealed), after)

    @property
    def html_file(self) -> str:
        """File name, in the bundle, of the HTML that was shown."""
        return f"html/{self.file.removesuffix('.pdf')}.html"


@dataclass(frozen=True)
class Approval:
    """An approval of the pack: the role, and the hash of the decision."""

    role: str
    sha256: str


@dataclass(frozen=True)
class Events:
    """The number of events in the pack's chain, and the hash of the last."""

    count: int
    head: str


@dataclass(frozen=True)
class Manifest:
    """Everything that is hashed, for one executed revision of a pack."""

    pack: str
    revision: int
    offer_sha256: str
    acts: Sequence[str]
    signed_set_sha256: str
    approvals: Sequence[Approval]
    countersign_sha256: str
    sealed: Sequence[SealedDocument]
    events: Events
    audit_head_sha256: str
    executed_at: datetime
    time_state: TimeState
    seal: Seal
    salt: str
    supersedes: str = ""

    def data(self) -> bytes:
        """Return the canonical bytes that are stored, delivered, signed and hashed."""
        files = [document.file for document in self.sealed]
        assert len(set(files)) == len(files) > 0, "every document has a file of its own"
        assert all(FILE_NAME.fullmatch(name) for name in files), "file names are codes"
        assert all(FINGERPRINT.fullmatch(one) for one in self._fingerprints())
        return canonical(DOMAIN, self._body())

    def _body(self) -> dict[str, Any]:
        return {
            "pack": self.pack,
            "revision": self.revision,
            "executed_at": clock.iso(self.executed_at),
            "offer_sha256": self.offer_sha256,
            "acts": list(self.acts),
            "signed_set_sha256": self.signed_set_sha256,
            "approvals": [vars(one) for one in self.approvals],
            "countersign_sha256": self.countersign_sha256,
            "sealed": [vars(document) for document in self.sealed],
            "events": vars(self.events),
            "audit_head_sha256": self.audit_head_sha256,
            "supersedes": self.supersedes,
            "time": self.time_state,
            "seal": {
                "certificate_sha256": fingerprint(self.seal.certificate),
                "root_sha256": fingerprint(self.seal.root),
            },
            "salt": self.salt,
        }

    def _fingerprints(self) -> list[str]:
        return [
            self.offer_sha256,
            self.signed_set_sha256,
            self.countersign_sha256,
            self.events.head,
            self.audit_head_sha256,
            *self.acts,
            *(one.sha256 for one in self.approvals),
            *(document.html_sha256 for document in self.sealed),
            *(document.unsigned_sha256 for document in self.sealed),
            *(document.sealed_sha256 for document in self.sealed),
        ]


def sums(files: Mapping[str, bytes]) -> bytes:
    """Return a checksum list for `sha256sum --check --strict`, sorted by name."""
    return "".join(f"{sha256_hex(files[name])}  {name}\n" for name in sorted(files)).encode()
