"""Render documents: facts and one version of a wording become the HTML and the PDF people sign.

Writing the HTML is pure and happens here; rendering the PDF happens in a process of its own.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agreements.document_templates import document_fonts, template_library
from agreements.document_templates.template_library import Template
from agreements.rendering import document_html
from agreements.rendering.render_process import RenderFailed, process
from console.core.digests import canonical, sha256_hex

__all__ = [
    "Attachment",
    "RenderFailed",
    "Rendered",
    "profile",
    "profile_file",
    "render",
    "render_pdf",
    "render_template",
]


@dataclass(frozen=True)
class Attachment:
    """A file to put inside the PDF; `at` is an RFC 3339 time and never the clock's."""

    name: str
    data: bytes
    at: str
    about: str


@dataclass(frozen=True)
class Rendered:
    """One document as it will be read, and the two fingerprints that say so."""

    reference: str
    html: bytes
    html_sha256: str
    pdf: bytes
    unsigned_sha256: str
    pages: int


def render(reference: str, facts: Mapping[str, Any]) -> Rendered:
    """Render the published version that the reference names."""
    return render_template(template_library.find(reference), facts)


def render_template(template: Template, facts: Mapping[str, Any]) -> Rendered:
    """Render a version that may not be published yet."""
    try:
        html = document_html.compose(template, facts)
    except document_html.WritingFailed as failed:
        raise RenderFailed(str(failed)) from failed
    pdf, pages = render_pdf(html, template.styles)
    return Rendered(template.reference, html, sha256_hex(html), pdf, sha256_hex(pdf), pages)


def render_pdf(
    html: bytes,
    sheets: Sequence[str],
    *,
    variant: str = "pdf/ua-1",
    attachments: Sequence[Attachment] = (),
) -> tuple[bytes, int]:
    """Render any HTML of ours; returns the PDF and its number of pages."""
    text = html.decode()
    asked = {
        "html": text,
        "styles": [document_fonts.needed(sheet, text) for sheet in sheets],
        "spelled": any(len(document_fonts.FACE.findall(sheet)) > 1 for sheet in sheets),
        "variant": variant,
        "attachments": [
            {**vars(one), "data": base64.b64encode(one.data).decode()} for one in attachments
        ],
    }
    answer = process().ask(asked)
    if "failed" in answer:
        raise RenderFailed(answer["failed"])
    return base64.b64decode(answer["pdf"]), answer["pages"]


def profile() -> dict[str, str]:
    """What writes and renders: versions and options that decide the bytes."""
    return {**process().profile(), "writer": document_html.WRITER}


def profile_file() -> bytes:
    """The profile as it is fingerprinted: a new renderer shows as a new value."""
    return canonical("agr.render-profile.v1", profile())
