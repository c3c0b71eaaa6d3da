"""The typeface of the papers: a file of a font package, known by its SHA-256."""

import hashlib
from functools import cache
from pathlib import Path

import fontpkg_noto_sans  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont

FILES = {
    "noto-sans": fontpkg_noto_sans.ROOT / "files/NotoSans[wdth,wght].ttf",
}


@cache
def by_sha256() -> dict[str, Path]:
    """Every file under the name that style sheets use for it: `asset:<sha256>`."""
    return {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in FILES.values()}


@cache
def _covered() -> frozenset[int]:
    with TTFont(FILES["noto-sans"], lazy=True) as font:
        return frozenset(font.getBestCmap())


def unprintable(text: str) -> str:
    """Return the characters of the text that the papers have no letter for, in order."""
    return "".join(c for c in dict.fromkeys(text) if ord(c) not in _covered())
