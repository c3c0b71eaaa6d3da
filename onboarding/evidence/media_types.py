"""The types of files that can be evidence, and how to recognise them by their content."""

PDF, PNG, JPEG = "application/pdf", "image/png", "image/jpeg"
ENDINGS = {PDF: ".pdf", PNG: ".png", JPEG: ".jpg"}
_STARTS = {b"%PDF-": PDF, b"\x89PNG\r\n\x1a\n": PNG, b"\xff\xd8\xff": JPEG}


def media_type_of(data: bytes) -> str:
    """Return the type that the file claims by its first bytes, or ""."""
    return next((kind for start, kind in _STARTS.items() if data.startswith(start)), "")
