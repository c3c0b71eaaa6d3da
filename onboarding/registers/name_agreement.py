"""Comparison of company names: spelling and the ways of writing a legal form do not matter.

agrees("Kettle & Kiosk Ltd.", "KETTLE AND KIOSK LIMITED") -> True
agrees("Kettle & Kiosk Ltd", "Kettle & Kiosk PLC")        -> False
"""

import re

from console.core.folding import fold

# Ways of writing a legal form or a word in a company's name -> one of them.
_WAYS = {
    "aktiengesellschaft": "ag",
    "aktiebolag": "ab",
    "aktieselskab": "as",
    "and": "&",
    "anpartsselskab": "aps",
    "besloten vennootschap": "bv",
    "company": "co",
    "corporation": "corp",
    "et": "&",
    "gesellschaft mit beschrankter haftung": "gmbh",
    "incorporated": "inc",
    "kommanditgesellschaft": "kg",
    "limited": "ltd",
    "limited liability company": "llc",
    "limited liability partnership": "llp",
    "naamloze vennootschap": "nv",
    "osakeyhtio": "oy",
    "private limited": "pte ltd",
    "proprietary": "pty",
    "public limited company": "plc",
    "pvt ltd": "pte ltd",
    "sociedad anonima": "sa",
    "sociedad limitada": "sl",
    "sociedade anonima": "sa",
    "societa a responsabilita limitata": "srl",
    "societa per azioni": "spa",
    "societe a responsabilite limitee": "sarl",
    "societe anonyme": "sa",
    "societe par actions simplifiee": "sas",
    "spolka z ograniczona odpowiedzialnoscia": "sp zoo",
    "sp z oo": "sp zoo",
    "uzdaroji akcine bendrove": "uab",
    "und": "&",
    "y": "&",
}
_SAME = {fold(way): form for way, form in _WAYS.items()}
# Forms that registers write before or after the name: UAB "Foo", Foo UAB.
_AT_EITHER_END = frozenset(
    [
        "ab",
        "ag",
        "as",
        "bv",
        "bvba",
        "cv",
        "doo",
        "eood",
        "gmbh",
        "kft",
        "llc",
        "lp",
        "ltd",
        "nv",
        "ooo",
        "oy",
        "pjsc",
        "plc",
        "pt",
        "pty",
        "sa",
        "sarl",
        "sas",
        "sasu",
        "sci",
        "scs",
        "sia",
        "sl",
        "slu",
        "snc",
        "spa",
        "sprl",
        "srl",
        "uab",
        "zao",
        "ооо",
        "зао",
        "пао",
        "ао",
        "тов",
        "прат",
    ]
)
# Longest first, so that `limited liability company` is not read as `limited`.
_FORMS = sorted(_SAME, key=len, reverse=True)
# S.A., A/S, A B C
_ABBREVIATED = re.compile(r"\b(?:\w[. /]){1,4}\w\b\.?")


def agrees(stated: str, *found: str) -> bool:
    """Tell whether a company's name is one of those that were found."""
    return bool(stated) and _plain(stated) in map(_plain, found)


def _plain(name: str) -> str:
    """Return the name without marks, case and punctuation, with each legal form in one way."""
    text = _ABBREVIATED.sub(lambda found: re.sub(r"[. /]", "", found[0]), name)
    text = " ".join(re.sub(r"[^\w&]+", " ", fold(text).replace("&", " & ")).split())
    for form in _FORMS:
        text = re.sub(rf"\b{form}\b", _SAME[form], text)
    first, _, rest = text.removeprefix("the ").removesuffix(" the").partition(" ")
    return f"{rest} {first}" if rest and first in _AT_EITHER_END else f"{first} {rest}".strip()
