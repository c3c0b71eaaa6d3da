"""Certificate of execution: who signed and approved what, and when.

    render(CertificateFacts(...), manifest, events) -> bytes     the unsigned PDF/A-3

Seal the result with `pdf_seal.seal_pdf`. It is evidence, not part of the contract. Rendered in the
render process; this module reads neither the database nor the clock.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import segno
from jinja2 import FileSystemLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

from agreements.document_templates import template_library
from agreements.document_templates.facts_schema import Supplier
from agreements.pki.certificates import fingerprint
from agreements.rendering import document_html, renderer
from agreements.sealing.manifest import Manifest
from console.core import clock
from console.core.digests import sha256_hex

EVIDENCE = Path(__file__).parent / "evidence"
VARIANT = "pdf/a-3u"


@dataclass(frozen=True)
class Signature:
    """A person's signature for one of the parties."""

    name: str
    capacity: str  # "Director"
    party: str
    method: str  # "One-time code of an authenticator app"
    at: datetime
    sha256: str
    opened: str = ""  # which documents the person opened, and when


@dataclass(frozen=True)
class CertifiedDecision:
    """An approval or the countersignature. The name can be left out if policy says so."""

    role: str
    name: str
    method: str
    at: datetime
    sha256: str


@dataclass(frozen=True)
class CertificateFacts:
    """What the certificate states in addition to the manifest."""

    supplier: Supplier
    business: str
    registration_number: str
    country_name: str
    signatures: Sequence[Signature]
    decisions: Sequence[CertifiedDecision]
    verify_url: str


def render(facts: CertificateFacts, manifest: Manifest, events: bytes) -> bytes:
    """Return the unsealed certificate, with the manifest and the events attached."""
    at = clock.iso(manifest.executed_at)
    inside = [
        renderer.Attachment("manifest.json", manifest.data(), at, "Every fingerprint"),
        renderer.Attachment("events.jsonl", events, at, "The chain of events"),
    ]
    styles = [template_library.faces(), (EVIDENCE / "certificate.css").read_text("utf-8")]
    pdf, _ = renderer.render_pdf(
        compose(facts, manifest), styles, variant=VARIANT, attachments=inside
    )
    return pdf


def compose(facts: CertificateFacts, manifest: Manifest) -> bytes:
    """Return the certificate as HTML."""
    data_sha256 = sha256_hex(manifest.data())
    return (
        _environment()
        .get_template("certificate.html")
        .render(
            pack=manifest.pack,
            supplier=facts.supplier,
            business={
                "legal_name": facts.business,
                "registration_number": facts.registration_number,
                "country_name": facts.country_name,
            },
            executed_at={"iso": clock.iso(manifest.executed_at), "words": _in_words(manifest)},
            signatures=[{**vars(act), "at": _minute(act.at)} for act in facts.signatures],
            decisions=[{**vars(one), "at": _minute(one.at)} for one in facts.decisions],
            documents=[vars(document) for document in manifest.sealed],
            manifest_groups=[data_sha256[i : i + 8] for i in range(0, 64, 8)],
            offer_sha256=manifest.offer_sha256,
            signed_set_sha256=manifest.signed_set_sha256,
            events=vars(manifest.events),
            level=_LEVEL[manifest.time_state],
            time=_TIME[manifest.time_state],
            seal_sha256=fingerprint(manifest.seal.certificate),
            root_sha256=fingerprint(manifest.seal.root),
            verify_url=facts.verify_url,
            code=_code(f"{facts.verify_url}?sha256={data_sha256}"),
            crest=Markup((EVIDENCE / "crest.svg").read_text("utf-8")),  # noqa: S704 - our own file
        )
        .encode()
    )


def _environment() -> ImmutableSandboxedEnvironment:
    return ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(EVIDENCE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=document_html.isolated,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _code(address: str) -> Markup:
    rendered: Any = BytesIO()
    segno.make(address, error="m").save(
        rendered, kind="svg", border=0, dark="#101820", xmldecl=False, svgns=True, omitsize=True
    )
    return Markup(rendered.getvalue().decode())  # noqa: S704 - rendered by us, contains no text


def _minute(at: datetime) -> str:
    return f"{_day(at)}, {at.astimezone(UTC):%H:%M:%S} UTC"


def _in_words(manifest: Manifest) -> str:
    at = manifest.executed_at
    return f"{_day(at)}, {at.astimezone(UTC):%H:%M} UTC"


def _day(at: datetime) -> str:
    at = at.astimezone(UTC)
    return f"{at.day} {at:%B %Y}"


_LEVEL = {
    "none": "PAdES B-B, certifying that no change is allowed",
    "pending": "PAdES B-B, certifying that no change is allowed",
    "simulated": "PAdES B-T with a simulated time stamp, certifying that no change is allowed",
    "trusted": "PAdES B-T, certifying that no change is allowed",
}
_TIME = {
    "none": "No independent authority stated it. The times on this certificate are our own.",
    "pending": "No independent authority answered when this pack was sealed. "
    "The times on this certificate are our own.",
    "simulated": "Simulated by the demo world, and no evidence.",
    "trusted": "Stated by an independent time-stamping authority, in every seal and over the "
    "manifest.",
}
