"""The executed pack as a zip: documents, certificate, manifest, evidence, and instructions.

    Bundle(...).zip()   -> bytes; the same parts always give the same bytes
    Bundle(...).files() -> {name: bytes} in the order of the zip

Files are stored uncompressed, with fixed dates and in a fixed order.
"""

import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from string import Template

from agreements.pki import certificates, time_stamping
from agreements.pki.certificates import Seal
from agreements.sealing import manifest
from agreements.sealing.manifest import Manifest
from agreements.verification.file_kinds import CERTIFICATE_NAME
from console.core.digests import sha256_hex

EVIDENCE = Path(__file__).parent / "evidence"
SUMS = "SHA256SUMS"
# Zip times have no time zone, so use a fixed date.
DAY = (1980, 1, 1, 0, 0, 0)
ABOUT = {
    CERTIFICATE_NAME: "who signed and approved what, when; sealed, with the manifest inside",
    "html/": "each document as HTML: what the screen showed and the PDF was made from",
    "manifest.json": "every fingerprint of this pack",
    "manifest.sig": "our signature over the manifest",
    "manifest.tsr": "the time of the manifest (RFC 3161)",
    "tsa-chain.pem": "who stated that time",
    "offer.json": "what was put before the signatory: the fingerprint of every document",
    "facts.json": "what the documents were made from",
    "ruleset.json": "the rules that chose the documents",
    "trace.json": "what each rule was asked, and what it answered",
    "profile.json": "the programs and options that rendered the documents",
    "signed-set.json": "the offer and the signatures under it: what was approved",
    "events.jsonl": "what happened to the pack, each line chained to the one before",
    "audit-head.json": "where our audit log ended when the pack was executed",
    "acts/": "each signature: who, when, how, and word for word what was declared",
    "approvals/": "each of our decisions, with the fingerprint of what it decided on",
    "root.pem": "our root: what makes a seal ours",
    "seal.pem": "the certificate of the seal",
    "verify.sh": "checks this folder",
    SUMS: "the SHA-256 of every other file",
    f"{SUMS}.sig": "our signature over that list",
}


@dataclass(frozen=True)
class Evidence:
    """The files whose hashes are in the manifest; each is canonical JSON except for the HTML.

    `html` is keyed by the name of its PDF; `acts`, `approvals` and `reasons` by their own file
    names.
    """

    offer: bytes
    reasons: Mapping[str, bytes]
    signed_set: bytes
    audit_head: bytes
    events: bytes
    acts: Mapping[str, bytes]
    approvals: Mapping[str, bytes]
    html: Mapping[str, bytes]


@dataclass(frozen=True)
class Bundle:
    """The parts of an executed pack."""

    manifest: Manifest
    documents: Mapping[str, bytes]
    certificate: bytes
    evidence: Evidence
    seal: Seal
    verify_url: str
    token: bytes = b""

    def files(self) -> dict[str, bytes]:
        """Return every file by name, in order."""
        data = self.manifest.data()
        files = {CERTIFICATE_NAME: self.certificate}
        files |= {document.file: self.documents[document.file] for document in self.manifest.sealed}
        files |= {one.html_file: self.evidence.html[one.file] for one in self.manifest.sealed}
        files |= {"manifest.json": data, "manifest.sig": self.seal.sign(data)}
        if self.token:
            files["manifest.tsr"] = self.token
            files["tsa-chain.pem"] = time_stamping.chain_of(self.token)
        files |= self._evidence()
        files["root.pem"] = certificates.pem(self.seal.root)
        files["seal.pem"] = self.seal.chain_pem
        files["verify.sh"] = (EVIDENCE / "verify.sh").read_bytes()
        files["READ-ME.txt"] = self._read_me(list(files), data)
        sums = manifest.sums(files)
        return {**files, SUMS: sums, f"{SUMS}.sig": self.seal.sign(sums)}

    def _evidence(self) -> dict[str, bytes]:
        found = self.evidence
        return {
            "offer.json": found.offer,
            **{name: found.reasons[name] for name in sorted(found.reasons)},
            "signed-set.json": found.signed_set,
            "events.jsonl": found.events,
            "audit-head.json": found.audit_head,
            **{f"acts/{name}": found.acts[name] for name in sorted(found.acts)},
            **{f"approvals/{name}": found.approvals[name] for name in sorted(found.approvals)},
        }

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
        titles = {document.file: document.title for document in self.manifest.sealed}
        about = {**ABOUT, **titles}
        folders = dict.fromkeys(f"{name.partition('/')[0]}/" for name in names if "/" in name)
        shown = [name for name in (*names, *folders, SUMS, f"{SUMS}.sig") if name in about]
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
    "pending": "No independent authority answered at the sealing; the pack's times are our own.",
    "simulated": "The time stamp of this pack is SIMULATED and no evidence: a demo world made it.",
    "trusted": "manifest.tsr is an independent authority's word on the time of this pack.",
}
