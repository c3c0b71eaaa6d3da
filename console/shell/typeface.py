"""Subsetting of the Inter typeface to the characters that pages use."""

from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage

SHEET, FONT = "fonts/inter.css", "fonts/inter.woff2"
# Latin with accents and tone marks (Yoruba, Igbo, Hausa, French), punctuation, arrows, currencies.
RANGES = ((0x20, 0x24F), (0x1E00, 0x1EFF), (0x300, 0x332), (0x2010, 0x2044), (0x20A0, 0x20BF))
SINGLE = (0x2122, 0x2190, 0x2191, 0x2192, 0x2193, 0x2212, 0x2260, 0x2264, 0x2265, 0x2713)
FEATURES = ["kern", "calt", "ccmp", "locl", "mark", "mkmk", "tnum", "case"]
FACE = """@font-face {
  font-family: "Inter";
  src: url("inter.woff2") format("woff2");
  font-weight: 400 600;
  font-display: swap;
}
"""


@cache
def addresses() -> tuple[str, str] | None:
    """Return the URLs of the font and of its stylesheet, or None if they were not created."""
    if not (Path(settings.FONT_DIR) / SHEET).is_file():
        return None
    try:
        return staticfiles_storage.url(FONT), staticfiles_storage.url(SHEET)
    except ValueError:
        # Created but not collected yet, so use the system's font.
        return None


def source() -> Path | None:
    """Return the variable font's path in its package, or None if that is not installed."""
    spec = find_spec("fontpkg_inter")
    if spec is None or not spec.submodule_search_locations:
        return None
    found = Path(spec.submodule_search_locations[0]) / "files" / "Inter[opsz,wght].ttf"
    return found if found.is_file() else None


def cut(font: Path, folder: Path) -> Path:
    """Write the subset and its stylesheet to a folder, and return the font's path."""
    from fontTools import subset
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    target = folder / FONT
    target.parent.mkdir(parents=True, exist_ok=True)
    options = subset.Options(layout_features=FEATURES, flavor="woff2", hinting=False)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=list(_letters()))
    # Keep the file's own timestamps, so that the same package gives the same bytes.
    face = TTFont(font, recalcTimestamp=False)
    cutter.subset(face)
    face = instancer.instantiateVariableFont(face, {"opsz": 14, "wght": (400, 600)})
    face.flavor = "woff2"
    face.save(target)
    (folder / SHEET).write_text(FACE, encoding="utf-8")
    return target


def _letters() -> Iterator[int]:
    for first, last in RANGES:
        yield from range(first, last + 1)
    yield from SINGLE
