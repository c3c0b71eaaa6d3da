"""Inspect a PDF and report on its seal, or a zip and list its files; given bytes and roots.

    inspect(data, Trust(roots, time_roots), at) -> Findings

It uses no database, settings or clock: the seal's certificate must have been valid at `at`, unless
a trusted time stamp gives an earlier time. It never raises for what is in the file. Inspect
untrusted files in a separate process: see `inspect_process`.
"""

import asyncio
import logging
import re
from dataclasses import replace
from datetime import datetime

from asn1crypto import x509
from asn1crypto.cms import ContentInfo
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation.pdf_embedded import (
    EmbeddedPdfSignature,
    async_validate_pdf_signature,
)
from pyhanko.sign.validation.status import PdfSignatureStatus, SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.registry import SimpleTrustManager

from agreements.pki import certificates
from agreements.pki.time_stamping import by_itself
from agreements.verification import pdf_comparison, zip_contents
from agreements.verification.findings import MAGIC, Findings, StampState, Trust
from console.core import clock
from console.core.digests import sha256_hex

# The findings report everything that pyHanko would log.
logging.getLogger("pyhanko.sign.validation").setLevel(logging.CRITICAL)


def inspect(data: bytes, trust: Trust, at: datetime) -> Findings:
    """Return the findings about the file."""
    found = Findings(sha256_hex(data))
    try:
        return _inspect(data, trust, at, found)
    except Exception:  # noqa: BLE001 - an untrusted file may break the parser in any way
        return replace(found, unreadable="its structure is broken")


def _inspect(data: bytes, trust: Trust, at: datetime, found: Findings) -> Findings:
    if data.startswith(zip_contents.MAGIC):
        return _inspect_zip(data, found)
    if not data.startswith(MAGIC):
        return replace(found, unreadable="it is not a PDF")
    reader = pdf_comparison.opened(data)
    if reader.encrypted:
        return replace(found, unreadable="it is locked with a password")
    # Reject a file without a page tree.
    assert reader.root["/Pages"]["/Type"] == "/Pages"
    seals = list(reader.embedded_signatures)
    if not seals:
        return replace(found, reviewed_sha256=found.sha256)
    found = _judge_seal(seals[-1], trust, at, replace(found, seals=len(seals)))
    reviewed = data[: reviewed_length(data, reader)]
    return replace(
        found,
        reviewed_sha256=sha256_hex(reviewed),
        difference=pdf_comparison.difference(reviewed, data) if found.root else "",
    )


def _inspect_zip(data: bytes, found: Findings) -> Findings:
    try:
        return replace(found, files=tuple(zip_contents.hashes(data)))
    except zip_contents.TooMuch:
        return replace(found, unreadable=zip_contents.TOO_MUCH, gave_up=True)


def _judge_seal(
    seal: EmbeddedPdfSignature, trust: Trust, at: datetime, found: Findings
) -> Findings:
    status = _validate(seal, trust, at)
    stamp, stamped_at = _stamp(status)
    if stamp == "trusted":
        # The certificate must have been valid at the trusted time.
        status = _validate(seal, trust, datetime.fromisoformat(stamped_at))
    return replace(
        found,
        intact=status.intact,
        valid=status.valid,
        whole=status.coverage == SignatureCoverageLevel.ENTIRE_FILE and _padding_is_empty(seal),
        root=_root(status),
        certificate=status.signing_cert.sha256.hex(),
        sealed_by=_name(status.signing_cert),
        stamp=stamp,
        stamped_at=stamped_at,
    )


def reviewed_length(data: bytes, reader: PdfFileReader) -> int:
    """Return the length of the document before its first increment."""
    first = reader.xrefs.get_startxref_for_revision(0)
    end = re.compile(rb"startxref\s+%d\s+%%%%EOF(\r\n|\n|\r)?" % first).search(data)
    return end.end() if end else len(data)


def _validate(seal: EmbeddedPdfSignature, trust: Trust, at: datetime) -> PdfSignatureStatus:
    validation = async_validate_pdf_signature(
        seal,
        signer_validation_context=_context(trust.roots, at),
        ts_validation_context=_context(trust.time_roots, at),
        skip_diff=True,
    )
    return by_itself(lambda: asyncio.run(validation))


def _context(roots: tuple[bytes, ...], at: datetime) -> ValidationContext:
    # Pass an explicit manager: an empty list of roots would mean the system's roots.
    trusted = SimpleTrustManager.build([x509.Certificate.load(root) for root in roots])
    return ValidationContext(trust_manager=trusted, moment=at, allow_fetching=False)


def _root(status: PdfSignatureStatus) -> str:
    """Return the SHA-256 of the trusted root of the seal, or ""."""
    if not (status.trusted and status.validation_path):
        return ""
    return str(status.validation_path.first.sha256.hex())


def _name(certificate: x509.Certificate) -> str:
    names = certificate.subject.native
    said = (names.get(part) for part in ("common_name", "organization_name"))
    return ", ".join(str(one) for one in said if one)[:200]


def _stamp(status: PdfSignatureStatus) -> tuple[StampState, str]:
    stamp = status.timestamp_validity
    if stamp is None:
        return "none", ""
    if not (stamp.valid and stamp.intact):
        return "unknown", ""
    moment = clock.iso(stamp.timestamp)
    if stamp.trusted:
        return "trusted", moment
    by_us = stamp.signing_cert.subject.native.get("organization_name") == certificates.SIMULATED
    return ("simulated" if by_us else "unknown"), moment


def _padding_is_empty(seal: EmbeddedPdfSignature) -> bool:
    """Tell whether the padding after the signature, which it does not cover, is empty."""
    contents = bytes(seal.sig_object.raw_get("/Contents", decrypt=generic.EncryptedObjAccess.RAW))
    return not contents[len(ContentInfo.load(contents).dump()) :].strip(b"\0")
