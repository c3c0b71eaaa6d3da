"""The types of files that can be evidence, and how to recognise them by their content."""

PDF, PNG, JPEG = "application/pdf", "image/png", "image/jpeg"
# Of stored files. Pictures are stored as JPEG, also if they were PNG.
ENDINGS = {PDF: ".pdf", PNG: ".png", JPEG: ".jpg"}
_STARTS = {b"\x89PNG\r\n\x1a\n": PNG, b"\xff\xd8\xff": JPEG}
# Viewers look for the header of a PDF that far.
_HEADER, _WITHIN = b"%PDF-", 1024
# A signature around the file (P7M) can cut what is inside it into pieces.
_SIGNED_AROUND = tuple(bytes([0x30, length]) for length in (0x80, 0x81, 0x82, 0x83, 0x84))


def media_type_of(data: bytes) -> str:
    """Return the type that the file claims by its first bytes, or ""."""
    found = next((kind for start, kind in _STARTS.items() if data.startswith(start)), "")
    is_pdf = _HEADER in data[:_WITHIN] and not data.startswith(_SIGNED_AROUND)
    return found or (PDF if is_pdf else "")
