"""Name, logo and colour of the company that runs the console, from the settings."""

from functools import cache
from pathlib import Path

from django.conf import settings

from console.core.digests import sha256_hex

SHEET, LOGO = "/brand.css", "/brand.svg"
# The dark theme keeps the hue and takes a lighter tone, so that words stay readable.
_COLOURS = """:root {{
  --acc: light-dark({0}, oklch(from {0} .76 min(c, .12) h));
  --acc-h: light-dark(oklch(from {0} calc(l - .06) c h), oklch(from {0} .82 min(c, .1) h));
  --acc-t: light-dark(oklch(from {0} .955 min(c, .022) h), oklch(from {0} .275 min(c, .045) h));
}}
"""


def sheet() -> str:
    """Return the stylesheet with the company's colour, or "" if none is set."""
    return _COLOURS.format(settings.CONSOLE_COLOUR) if settings.CONSOLE_COLOUR else ""


def logo() -> str:
    """Return the logo as SVG, or "" if none is set."""
    return _read(settings.CONSOLE_LOGO) if settings.CONSOLE_LOGO else ""


@cache
def _read(path: str) -> str:
    return Path(path).read_text("utf-8")


def address(path: str, content: str) -> str:
    """Return the path of the sheet or logo, which changes with its content; "" without any."""
    return f"{path}?{sha256_hex(content.encode())[:12]}" if content else ""
