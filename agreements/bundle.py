"""The executed pack as one zip: papers, certificate, manifest, evidence, and how to check them.

    Bundle(...).zip()   -> the bytes; the same parts always give the same bytes
    Bundle(...).files() -> {name: bytes} in the order of the zip

Files are stored, not compressed, with fixed dates and in a fixed order.
"""

import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from string import Template

from agreements import certificates, manifest, time_stamping
from agreements.certificates import Seal
from agreements.manifest import Manifest
from console.core.digests import sha256_hex

EVIDENCE = Path(__file__).parent / "evidence"
CERTIFICATE = "00-certificate.pdf"
# Zip files know no time zone; a fixed day says nothing that could be wrong.
DAY = (1980, 1, 1, 0, 0, 0)
ABOUT = {
    CERTIFICATE: "who signed and approved what, when; sealed, with the manifest inside",
    "manifest.json": "every fingerprint of this pack",
    "manifest.sig": "our signature over the manifest",
    "manifest.tsr": "the time of the manifest (RFC 3161)",
    "tsa-chain.pem": "who stated that time",
    "events.jsonl": "what happened to the pack, each line chained to the one before",
    "acts/": "each signature: who, when, how, and word for word what was declared",
    "approvals/": "each of our decisions, with the fingerprint of what it decided on",
    "root.pem": "our root: what makes a seal ours",
    "seal.pem": "the certificate of the seal",
    "SHA256SUMS": "the SHA-256 of every other file",
    "verify.sh": "checks this folder",
}


@dataclass(frozen=True)
class Bundle:
    """The parts of an executed pack. `acts` and `approvals` are canonical JSON by file name."""

    manifest: Manifest
    papers: Mapping[str, bytes]
    certificate: bytes
    signature: bytes
    seal: Seal
    verify_url: str
    token: bytes = b""
    events: bytes = b""
    acts: Mapping[str, bytes] = field(default_factory=dict)
    approvals: Mapping[str, bytes] = field(default_factory=dict)

    def files(self) -> dict[str, bytes]:
        """Return every file by its name, in order."""
        data = self.manifest.data()
        files = {CERTIFICATE: self.certificate}
        files |= {paper.file: self.papers[paper.file] for paper in self.manifest.sealed}
        files |= {"manifest.json": data, "manifest.sig": self.signature}
        if self.token:
            files["manifest.tsr"] = self.token
            files["tsa-chain.pem"] = time_stamping.chain_of(self.token)
        files["events.jsonl"] = self.events
        files |= {f"acts/{name}": self.acts[name] for name in sorted(self.acts)}
        files |= {f"approvals/{name}": self.approvals[name] for name in sorted(self.approvals)}
        files["root.pem"] = certificates.pem(self.seal.root)
        files["seal.pem"] = self.seal.chain_pem
        files["verify.sh"] = (EVIDENCE / "verify.sh").read_bytes()
        files["READ-ME.txt"] = self._read_me(list(files), data)
        return {**files, "SHA256SUMS": manifest.sums(files)}

    def zip(self) -> bytes:
        """Return the zip."""
        folder, output = self.manifest.pack, BytesIO()
        with zipfile.ZipFile(output, "w", zipfile.ZIP_STORED) as archive:
            for name, data in self.files().items():
                entry = zipfile.ZipInfo(f"{folder}/{name}", DAY)
                mode = 0o755 if name == "verify.sh" else 0o644
                entry.create_system, entry.external_attr = 3, (0o100000 | mode) << 16
                archive.writestr(entry, data)
        return output.getvalue()

    def _read_me(self, names: list[str], data: bytes) -> bytes:
        titles = {paper.file: paper.title for paper in self.manifest.sealed}
        about = {**ABOUT, **titles}
        folders = dict.fromkeys(f"{name.partition('/')[0]}/" for name in names if "/" in name)
        shown = [name for name in (*names, *folders, "SHA256SUMS") if name in about]
        root = certificates.fingerprint(self.seal.root)
        text = Template((EVIDENCE / "READ-ME.txt").read_text("utf-8")).substitute(
            pack=self.manifest.pack,
            line="=" * (28 + len(self.manifest.pack)),
            root=root,
            verify_url=self.verify_url,
            listing="\n".join(f"  {name:<20} {about[name]}" for name in shown),
            manifest_sha256=sha256_hex(data),
            time=_TIME[self.manifest.time_state],
        )
        return text.encode()


_TIME = {
    "none": "No independent authority stated the time of this pack; its times are our own.",
    "pending": "The independent time of this pack is still to come; its times are our own.",
    "simulated": "The time stamp of this pack is SIMULATED and no evidence: a demo world made it.",
    "trusted": "manifest.tsr is an independent authority's word on the time of this pack.",
}
