"""Render facts and a template version to the HTML and PDF that people sign.

HTML is written in this process, without side effects; the PDF is rendered in a separate process.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agreements.document_templates import document_fonts, template_library
from agreements.document_templates.template_library import Template
from agreements.rendering import document_html
from agreements.rendering.render_process import RenderFailed as RenderFailed
from agreements.rendering.render_process import process
from console.core.digests import canonical, sha256_hex


@dataclass(frozen=True)
class Attachment:
    """A file to attach to the PDF; `at` is an RFC 3339 time that the caller passes."""

    name: str
    data: bytes
    at: str
    about: str


@dataclass(frozen=True)
class Rendered:
    """A rendered document, with the hashes of its HTML and PDF."""

    reference: str
    html: bytes
    html_sha256: str
    pdf: bytes
    unsigned_sha256: str
    pages: int


def render(reference: str, facts: Mapping[str, Any]) -> Rendered:
    """Render the published version that the reference identifies."""
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
    """Render any trusted HTML; return the PDF and its number of pages."""
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
    """Return the versions and options of the software that determine the output bytes."""
    return {**process().profile(), "writer": document_html.WRITER}


def profile_file() -> bytes:
    """Return the canonical profile, whose hash changes with the renderer."""
    return canonical("agr.render-profile.v1", profile())
