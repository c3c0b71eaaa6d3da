"""Seal a PDF: a PAdES certification signature over the whole file that allows no changes.

    tools()                                 the seal and the time service from settings
    seal_pdf(unsigned, with_=tools())       -> the sealed file
    check_sealed(unsigned, sealed, trust)   raises SealBroken unless the result is valid
    blank_page()                            a document for test seals

The sealed file is the unsigned file, byte for byte, followed by one increment. Sealing twice gives
different bytes, so store the result and refer to it. Nothing here reads the database; only
`tools()` reads settings.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from io import BytesIO

from asn1crypto import keys, x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from pyhanko.pdf_utils.generic import ArrayObject, NumberObject, StreamObject
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.writer import PageObject, PdfFileWriter
from pyhanko.sign import PdfSigner, Signer, SimpleSigner, fields
from pyhanko.sign.signers.pdf_signer import PdfSignatureMetadata
from pyhanko.sign.timestamps import TimeStamper
from pyhanko_certvalidator.registry import SimpleCertificateStore

from agreements.pki import certificates, seal_keys, time_stamping
from agreements.pki.certificates import DeviceUnavailable, Seal
from agreements.pki.time_stamping import TimeState, TimeUnavailable
from agreements.verification import inspection
from agreements.verification.findings import Trust
from console.core import clock
from console.core.digests import sha256_hex

FIELD = "Seal"
REASON = "Executed copy"
# Largest accepted difference between our clock and the time-stamping authority's.
DRIFT = timedelta(seconds=60)
# Of a curve of 521 bits, as DER.
_LONGEST_SIGNATURE = 139


class SealBroken(Exception):
    """Raised when a file that was just sealed is invalid; it must not be stored."""


@dataclass(frozen=True)
class Tools:
    """The tools for sealing. `pending` means that the time service did not respond."""

    seal: Seal
    time: TimeStamper | None = None
    pending: bool = False

    @property
    def time_state(self) -> TimeState:
        """What every file sealed with these tools can claim about its time."""
        return "pending" if self.pending else time_stamping.state_of(self.time)


class OneIncrement(IncrementalPdfFileWriter):
    """Writer that adds only the seal: the document's title, dates and producer stay unchanged."""

    def _update_meta(self) -> None:
        pass


def tools(*, time_may_wait: bool = False) -> Tools:
    """Return the seal and the time service from settings, or raise seal_keys.SealMissing.

    With `time_may_wait`, an outage of the service gives tools that leave the time pending. It is
    tested once, so that a pack's documents either all have a time or all have none.
    """
    seal = seal_keys.seal()
    if reason := seal_keys.unusable(seal):
        raise seal_keys.SealMissing(reason)
    service = time_stamping.service()
    if service and time_may_wait and not time_stamping.answers(service):
        return Tools(seal, pending=True)
    return Tools(seal, service)


def seal_pdf(unsigned: bytes, *, with_: Tools) -> bytes:
    """Return the PDF with a seal. Raises TimeUnavailable if the time service does not respond."""
    try:
        return time_stamping.by_itself(lambda: _sign(unsigned, with_))
    except DeviceUnavailable:
        raise
    except OSError as error:
        raise TimeUnavailable(f"No time stamp: {error}") from error


def check_sealed(unsigned: bytes, sealed: bytes, trust: Trust) -> None:
    """Raise SealBroken unless the file is intact, wholly covered, ours and extends `unsigned`."""
    found = inspection.inspect(sealed, trust, clock.now())
    if fault := found.fault or ("" if found.root else "its certificate is not under our root"):
        raise SealBroken(f"The sealed file is not right: {fault}.")
    if found.reviewed_sha256 != sha256_hex(unsigned):
        raise SealBroken("The sealed file does not begin with the file that was offered.")
    if found.stamped_at and _drift(found.stamped_at) > DRIFT:
        raise SealBroken("Our clock and the time-stamping authority's are too far apart.")


@cache
def blank_page() -> bytes:
    """Return a document with one empty page."""
    output, writer = BytesIO(), PdfFileWriter()
    contents = writer.add_object(StreamObject(stream_data=b""))
    box = ArrayObject([NumberObject(side) for side in (0, 0, 595, 842)])
    writer.insert_page(PageObject(contents=contents, media_box=box))
    writer.write(output)
    return output.getvalue()


def _drift(stated: str) -> timedelta:
    return abs(datetime.fromisoformat(stated) - clock.now())


def _sign(unsigned: bytes, used: Tools) -> bytes:
    writer = OneIncrement(BytesIO(unsigned), strict=True)
    return bytes(signer(used).sign_pdf(writer).getbuffer())


def signer(used: Tools) -> PdfSigner:
    """Return the signer: invisible, covering everything and allowing no changes."""
    metadata = PdfSignatureMetadata(
        field_name=FIELD,
        md_algorithm="sha256",
        reason=REASON,
        name=certificates.organisation(used.seal.certificate),
        subfilter=fields.SigSeedSubFilter.PADES,
        certify=True,
        docmdp_permissions=fields.MDPPerm.NO_CHANGES,
    )
    # An empty box outside the page: the only way to be invisible that PDF/A and PDF/UA both allow.
    place = fields.SigFieldSpec(
        FIELD, invis_sig_settings=fields.InvisSigSettings(box_out_of_bounds=True)
    )
    return PdfSigner(metadata, _signer(used.seal), timestamper=used.time, new_field_spec=place)


def _signer(seal: Seal) -> Signer:
    others = [x509.Certificate.load(certificates.der(one)) for one in (*seal.issuers, seal.root)]
    store = SimpleCertificateStore()
    store.register_multiple(others)
    certificate = x509.Certificate.load(certificates.der(seal.certificate))
    if not isinstance(seal.key, ec.EllipticCurvePrivateKey):
        return _DeviceSigner(seal, certificate, store)
    return SimpleSigner(
        signing_cert=certificate,
        signing_key=keys.PrivateKeyInfo.load(
            certificates.key_bytes(seal.key, serialization.Encoding.DER)
        ),
        cert_registry=store,
    )


class _DeviceSigner(Signer):
    """Signs with a key that cannot be read."""

    def __init__(
        self, seal: Seal, certificate: x509.Certificate, store: SimpleCertificateStore
    ) -> None:
        super().__init__(signing_cert=certificate, cert_registry=store)
        self._seal = seal

    async def async_sign_raw(
        self,
        data: bytes,
        digest_algorithm: str,
        dry_run: bool = False,  # noqa: FBT001, FBT002
    ) -> bytes:
        return bytes(_LONGEST_SIGNATURE) if dry_run else self._seal.sign(data)
