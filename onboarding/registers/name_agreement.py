"""Comparison of company names: spelling and the ways of writing a legal form do not matter.

agrees("Kettle & Kiosk Ltd.", "KETTLE AND KIOSK LIMITED") -> True
agrees("Kettle & Kiosk Ltd", "Kettle & Kiosk PLC")        -> False
"""

import re

from onboarding.restrictions.spelling import normalised

# Ways of writing a legal form or a word in a company's name -> one of them.
_SAME = {
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
    "społka z ograniczona odpowiedzialnoscia": "sp zoo",
    "sp z oo": "sp zoo",
    "und": "&",
    "y": "&",
}
# Longest first, so that `limited liability company` is not read as `limited`.
_FORMS = sorted(_SAME, key=len, reverse=True)
# S.A., A/S, A B C
_ABBREVIATED = re.compile(r"\b(?:\w[. /]){1,4}\w\b\.?")


def agrees(stated: str, *found: str) -> bool:
    """Tell whether a company's name is one of those that were found."""
    return bool(stated) and _plain(stated) in map(_plain, found)


def _plain(name: str) -> str:
    """Return the name without marks, case and punctuation, with each legal form in one way."""
    text = _ABBREVIATED.sub(lambda found: re.sub(r"[. /]", "", found[0]), normalised(name))
    text = " ".join(re.sub(r"[^\w&]+", " ", text.replace("&", " & ").replace("'", "")).split())
    for form in _FORMS:
        text = re.sub(rf"\b{form}\b", _SAME[form], text)
    return text.removeprefix("the ").removesuffix(" the")
