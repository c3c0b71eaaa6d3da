"""Typefaces of the documents: files from font packages, identified by SHA-256.

The first covers Latin, Cyrillic, Greek and Devanagari. Each other one covers one script, with Han
last. A style sheet declares all of them, and each document embeds only those that it needs.
"""

import hashlib
import re
import unicodedata
from functools import cache
from pathlib import Path

import fontpkg_amiri  # type: ignore[import-untyped]
import fontpkg_noto_sans  # type: ignore[import-untyped]
import manimgx_fonts  # type: ignore[import-untyped]
import noto_cjk_sans_jp_regular  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont

_NOTO = Path(manimgx_fonts.__file__).parent
_CJK = Path(noto_cjk_sans_jp_regular.__file__).parent
SCRIPTS = (
    *("Hebrew", "Armenian", "Georgian", "Ethiopic", "Bengali", "Gujarati", "Gurmukhi"),
    *("Kannada", "Khmer", "Lao", "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil"),
    *("Telugu", "Thai"),
)
FILES = {
    "noto-sans": fontpkg_noto_sans.ROOT / "files/NotoSans[wdth,wght].ttf",
    "amiri": fontpkg_amiri.ROOT / "files/Amiri-Regular.ttf",
    "amiri-bold": fontpkg_amiri.ROOT / "files/Amiri-Bold.ttf",
    **{f"noto-sans-{name.lower()}": _NOTO / f"NotoSans{name}[wght].ttf" for name in SCRIPTS},
    "noto-sans-cjk": _CJK / "NotoSansCJKjp-Regular.otf",
}
FACE = re.compile(
    r'@font-face \{ font-family: "(?P<family>[^"]+)";[^}]*"asset:(?P<sha256>\w{64})"[^}]*\}\n?'
)
_MULTIPLE = 2  # GSUB lookup type that maps one glyph to several
JOINERS = "\u200c\u200d"  # zero-width (non-)joiners shape their neighbours and need no glyph


@cache
def by_sha256() -> dict[str, Path]:
    """Return the font files by SHA-256, as style sheets refer to them (`asset:<sha256>`)."""
    return {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in FILES.values()}


def unprintable(text: str) -> str:
    """Return the characters for which no typeface has a glyph, in order and without duplicates."""
    left = dict.fromkeys(text.replace(" ", ""))
    for path in FILES.values():
        left = {c: None for c in left if ord(c) not in _covered(path) and c not in JOINERS}
        if not left:
            break
    return "".join(left)


def needed(css: str, text: str) -> str:
    """Return the style sheet with only the faces that the text needs, and always the first."""
    families = set[str]()
    left = {ord(c) for c in text if not c.isspace()}
    for face in FACE.finditer(css):
        if not left:
            break
        covered = _covered(by_sha256()[face["sha256"]])
        if not families or left & covered:
            families.add(face["family"])
        left -= covered
    return FACE.sub(lambda face: face[0] if face["family"] in families else "", css)


def has_letter_for_all(text: str) -> bool:
    """Tell whether the first typeface sets every character as one glyph of its own."""
    whole = _set_whole(FILES["noto-sans"])
    return all(ord(c) in whole and unicodedata.category(c) not in ("Mn", "Mc") for c in text)


@cache
def _set_whole(path: Path) -> frozenset[int]:
    """Return the characters that the typeface does not split into several glyphs, as with `ị`."""
    with TTFont(path, lazy=True) as font:
        tables = (one for lookup in font["GSUB"].table.LookupList.Lookup for one in lookup.SubTable)
        plain = (getattr(one, "ExtSubTable", one) for one in tables)
        taken_apart = {name for one in plain if one.LookupType == _MULTIPLE for name in one.mapping}
        return frozenset(c for c, name in font.getBestCmap().items() if name not in taken_apart)


@cache
def _covered(path: Path) -> frozenset[int]:
    with TTFont(path, lazy=True) as font:
        return frozenset(font.getBestCmap())
