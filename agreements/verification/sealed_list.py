"""The sealed list of files of an executed pack, read from its zip.

files_of(pack)     {name: SHA-256} as sealed, plus the zip itself; {} if it cannot be read
is_sealed(row)     whether the list has this registered file; None if the list cannot be read
"""

import logging
import zipfile
from io import BytesIO

from cryptography import x509
from cryptography.exceptions import InvalidSignature

from agreements.models import ExecutedFile, Pack
from agreements.pki import certificates, seal_keys
from console.core import blobs, digests

BUNDLE = "bundle.zip"
_SUMS, _SIGNATURE, _SEAL = "SHA256SUMS", "SHA256SUMS.sig", "seal.pem"

log = logging.getLogger(__name__)


def files_of(pack: Pack) -> dict[str, str]:
    """Return file hashes by name, or {} if the list is unreadable or not signed by our seal."""
    try:
        with zipfile.ZipFile(BytesIO(blobs.get(pack.bundle_sha256))) as archive:
            sums, signature, seal = (
                archive.read(f"{pack.number}/{name}") for name in (_SUMS, _SIGNATURE, _SEAL)
            )
        signed = _is_ours(seal) and certificates.is_signed(
            sums, signature, x509.load_pem_x509_certificate(seal)
        )
    except (blobs.BlobDamaged, zipfile.BadZipFile, KeyError, OSError, ValueError) as broken:
        log.critical("sealed_list_unreadable", extra={"pack": pack.number, "cause": str(broken)})
        return {}
    if not signed:
        log.critical("sealed_list_not_signed", extra={"pack": pack.number})
        return {}
    listed = (line.split("  ", 1) for line in sums.decode().splitlines())
    return {
        **{name: sha256 for sha256, name in listed},
        _SUMS: digests.sha256_hex(sums),
        _SIGNATURE: digests.sha256_hex(signature),
        BUNDLE: pack.bundle_sha256,
    }


def is_sealed(row: ExecutedFile) -> bool | None:
    """Tell whether the sealed list has this file, or None if the list cannot be read."""
    files = files_of(row.pack)
    return files.get(row.name) == row.sha256 if files else None


def _is_ours(chain: bytes) -> bool:
    """Tell whether each certificate was issued by the next, and the last by one of our roots."""
    issued = x509.load_pem_x509_certificates(chain)
    above = [[one] for one in issued[1:]] + [list(seal_keys.roots())]
    return all(
        any(_issued(one, issuer) for issuer in issuers)
        for one, issuers in zip(issued, above, strict=True)
    )


def _issued(one: x509.Certificate, issuer: x509.Certificate) -> bool:
    try:
        one.verify_directly_issued_by(issuer)
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True
