"""The typefaces of the documents: files of font packages, known by their SHA-256.

The first holds Latin, Cyrillic, Greek and Devanagari; the others hold one script each, Han last.
A style sheet declares all of them, and a document is given those that its letters need.
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
_MULTIPLE = 2  # the kind of substitution that makes several glyphs of one
JOINERS = "\u200c\u200d"  # they shape their neighbours and have no letter of their own


@cache
def by_sha256() -> dict[str, Path]:
    """Every file under the name that style sheets use for it: `asset:<sha256>`."""
    return {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in FILES.values()}


def unprintable(text: str) -> str:
    """Return the characters of the text that the documents have no letter for, in order."""
    left = dict.fromkeys(text.replace(" ", ""))
    for path in FILES.values():
        left = {c: None for c in left if ord(c) not in _covered(path) and c not in JOINERS}
        if not left:
            break
    return "".join(left)


def needed(css: str, text: str) -> str:
    """Return the style sheet with the faces that the text needs: the first, and no idle one."""
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
    """Whether the first typeface sets every character by a glyph of its own."""
    whole = _set_whole(FILES["noto-sans"])
    return all(ord(c) in whole and unicodedata.category(c) not in ("Mn", "Mc") for c in text)


def reads_leftward(text: str) -> bool:
    """Whether some of the text is written from right to left."""
    return any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in text)


@cache
def _set_whole(path: Path) -> frozenset[int]:
    """Return the characters that the typeface does not set as several glyphs, as it does `ị`."""
    with TTFont(path, lazy=True) as font:
        tables = (one for lookup in font["GSUB"].table.LookupList.Lookup for one in lookup.SubTable)
        plain = (getattr(one, "ExtSubTable", one) for one in tables)
        taken_apart = {name for one in plain if one.LookupType == _MULTIPLE for name in one.mapping}
        return frozenset(c for c, name in font.getBestCmap().items() if name not in taken_apart)


@cache
def _covered(path: Path) -> frozenset[int]:
    with TTFont(path, lazy=True) as font:
        return frozenset(font.getBestCmap())
