"""Comparison of company names: spelling and the ways of writing a legal form do not matter.

agrees("Kettle & Kiosk Ltd.", "KETTLE AND KIOSK LIMITED") -> True
agrees("Kettle & Kiosk Ltd", "Kettle & Kiosk PLC")        -> False
"""

import re

from console.core.folding import fold

# Ways of writing a legal form or a word in a company's name -> one of them.
_WAYS = {
    "aktiengesellschaft": "ag",
    "akciova spolecnost": "as",
    "aksjeselskap": "as",
    "aktiebolag": "ab",
    "aktiebolaget": "ab",
    "allmennaksjeselskap": "asa",
    "anonim sirketi": "as",
    "aktieselskab": "as",
    "and": "&",
    "anpartsselskab": "aps",
    "besloten vennootschap": "bv",
    "company": "co",
    "drustvo s ogranicenom odgovornoscu": "doo",
    "corporation": "corp",
    "et": "&",
    "gesellschaft mit beschrankter haftung": "gmbh",
    "incorporated": "inc",
    "kommanditgesellschaft": "kg",
    "korlatolt felelossegu tarsasag": "kft",
    "limitada": "ltda",
    "limited": "ltd",
    "limited liability company": "llc",
    "limited liability partnership": "llp",
    "naamloze vennootschap": "nv",
    "osakeyhtio": "oy",
    "osauhing": "ou",
    "private limited": "pte ltd",
    "proprietary": "pty",
    "public limited company": "plc",
    "pvt ltd": "pte ltd",
    "sabiedriba ar ierobezotu atbildibu": "sia",
    "sendirian berhad": "sdn bhd",
    "sociedad anonima": "sa",
    "sociedad limitada": "sl",
    "sociedade anonima": "sa",
    "societa a responsabilita limitata": "srl",
    "societa per azioni": "spa",
    "societe a responsabilite limitee": "sarl",
    "societe anonyme": "sa",
    "societe par actions simplifiee": "sas",
    "spolecnost s rucenim omezenym": "sro",
    "spolocnost s rucenim obmedzenym": "sro",
    "spolka z ograniczona odpowiedzialnoscia": "sp zoo",
    "sp z oo": "sp zoo",
    "uzdaroji akcine bendrove": "uab",
    "und": "&",
    "unternehmergesellschaft": "ug",
    "y": "&",
    "zartkoruen mukodo reszvenytarsasag": "zrt",
    "ανώνυμη εταιρεία": "αε",
    "акционерное общество": "ао",
    "общество с ограниченной ответственностью": "ооо",
    "публичное акционерное общество": "пао",
    "товариство з обмеженою відповідальністю": "тов",
    "товарищество с ограниченной ответственностью": "тоо",
}
# Forms that are written without a blank before or after the name.
_ATTACHED = {
    fold(way): fold(form)
    for way, form in {
        "(株)": "株式会社", "(有)": "有限会社", "(주)": "주식회사",
        **{one: one for one in ("株式会社", "有限会社", "合同会社", "주식회사", "유한회사")},
        **{one: one for one in ("股份有限公司", "有限责任公司", "有限公司")},
    }.items()
}  # fmt: skip
_SAME = {fold(way): form for way, form in _WAYS.items()}
# Forms that registers write before or after the name: UAB "Foo", Foo UAB.
_AT_EITHER_END = frozenset(
    [
        *_ATTACHED.values(),
        "ab",
        "ag",
        "aps",
        "as",
        "asa",
        "bv",
        "bvba",
        "cv",
        "doo",
        "ehf",
        "eood",
        "gmbh",
        "kft",
        "llc",
        "lp",
        "ltd",
        "nv",
        "ooo",
        "ou",
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
        "se",
        "sia",
        "sl",
        "slu",
        "snc",
        "spa",
        "sprl",
        "srl",
        "sro",
        "uab",
        "zao",
        "ооо",
        "зао",
        "пао",
        "ао",
        "тов",
        "тоо",
        "прат",
    ]
)
# Longest first, so that `limited liability company` is not read as `limited`.
_FORMS = sorted(_SAME, key=len, reverse=True)
_ATTACHED_FORM = re.compile("|".join(map(re.escape, sorted(_ATTACHED, key=len, reverse=True))))
# S.A., s. r. o., A/S, A B C
_ABBREVIATED = re.compile(r"\b(?:\w(?:\. ?|[ /])){1,4}\w\b\.?")


def agrees(stated: str, *found: str) -> bool:
    """Tell whether a company's name is one of those that were found."""
    return bool(stated) and _plain(stated) in map(_plain, found)


def _plain(name: str) -> str:
    """Return the name without marks, case and punctuation, with each legal form in one way."""
    text = _ABBREVIATED.sub(lambda found: re.sub(r"[. /]", "", found[0]), name)
    text = _ATTACHED_FORM.sub(lambda found: f" {_ATTACHED[found[0]]} ", fold(text))
    text = " ".join(re.sub(r"[^\w&]+", " ", text.replace("&", " & ")).split())
    for form in _FORMS:
        text = re.sub(rf"\b{form}\b", _SAME[form], text)
    first, _, rest = text.removeprefix("the ").removesuffix(" the").partition(" ")
    return f"{rest} {first}" if rest and first in _AT_EITHER_END else f"{first} {rest}".strip()
