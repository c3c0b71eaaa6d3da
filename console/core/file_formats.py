"""Recognise the kind of an uploaded file by its content, to name it where we refuse it."""

import re

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_SEARCHED = 64 * 1024  # a zip names its files beside them
_PICTURE = _("Save it as a JPEG or PNG picture and choose that.")
_DOCUMENT = _("Save it as a PDF and choose that.")
_CONTAINER = _("Choose the files inside it, one at a time.")
_FILM = _("Choose a picture or a PDF.")
_PHONE = _("Save it as JPEG, or set the camera to “Most compatible” and take it again.")
_SIGNED = _("Open it with your signature program, and choose the PDF inside it.")
# In this order: a pattern at the start of the file, its name, and what to do.
_KINDS: list[tuple[bytes, Promise, Promise]] = [
    (rb".{4}ftyp(hei[cxms]|hev[cxms]|mif1|msf1)", _("a HEIC photo"), _PHONE),
    (rb".{4}ftypavi[fs]", _("an AVIF picture"), _PICTURE),
    (rb".{4}ftyp", _("a film"), _FILM),
    (rb"RIFF.{4}WEBP", _("a WebP picture"), _PICTURE),
    (rb"II\*\0|MM\0\*|II\+\0|MM\0\+", _("a TIFF picture"), _PICTURE),
    (rb"GIF8[79]a", _("a GIF picture"), _PICTURE),
    (rb"BM.{4}\0{4}", _("a BMP picture"), _PICTURE),
    (rb"\0\0\0\x0cjP  |\xff\x4f\xff\x51", _("a JPEG 2000 picture"), _PICTURE),
    (rb"\0\0\0\x0cJXL |\xff\x0a", _("a JPEG XL picture"), _PICTURE),
    (rb"8BPS", _("a Photoshop picture"), _PICTURE),
    (rb"\0\0\x01\0", _("an icon"), _PICTURE),
    (rb"\x89PNG\r\n\x1a\n", _("a PNG picture"), _PICTURE),
    (rb"\xff\xd8\xff", _("a JPEG picture"), _PICTURE),
    (rb"AT&TFORM", _("a DjVu document"), _DOCUMENT),
    (rb"%!PS", _("a PostScript file"), _DOCUMENT),
    (rb"\{\\rtf", _("a rich text document"), _DOCUMENT),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", _("an older Office document"), _DOCUMENT),
    (rb"PK\x03\x04.*\bword/", _("a Word document"), _DOCUMENT),
    (rb"PK\x03\x04.*\bxl/", _("an Excel workbook"), _DOCUMENT),
    (rb"PK\x03\x04.*\bppt/", _("a PowerPoint presentation"), _DOCUMENT),
    (rb"PK\x03\x04.*opendocument", _("an OpenDocument file"), _DOCUMENT),
    (rb"PK\x03\x04.*(Index/Document\.iwa|preview\.jpg)", _("a Pages document"), _DOCUMENT),
    (rb"PK[\x03\x05][\x04\x06]|Rar!|7z\xbc\xaf|\x1f\x8b", _("an archive"), _CONTAINER),
    (
        rb"0[\x80-\x84].{0,4}\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02",
        _("a file with a signature around it (P7M)"),
        _SIGNED,
    ),
    (rb"-----BEGIN PKCS7-----", _("a file with a signature around it (P7M)"), _SIGNED),
    (rb".{0,1019}%PDF-", _("a PDF"), _DOCUMENT),
    (rb"(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?(<!DOCTYPE svg|<svg)", _("an SVG drawing"), _PICTURE),
    (rb"(?i)(\xef\xbb\xbf)?\s*(<!doctype html|<html)", _("a web page"), _DOCUMENT),
    (rb"(?i)(MIME-Version|Received|Return-Path|Delivered-To):", _("an e-mail"), _DOCUMENT),
]
_PATTERNS = [(re.compile(start, re.DOTALL), kind, way) for start, kind, way in _KINDS]


def named(data: bytes) -> tuple[str, str]:
    """Return what the file is, such as "a HEIC photo", and what to do; "" twice if unknown."""
    head = data[:_SEARCHED]
    found = next(((kind, way) for start, kind, way in _PATTERNS if start.match(head)), None)
    return (str(found[0]), str(found[1])) if found else ("", "")
