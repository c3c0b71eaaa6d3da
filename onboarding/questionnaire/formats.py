"""Parsers for numbers, e-mail addresses, telephone numbers and web addresses.

They return the normalised form, or None if the text is not valid.
"""

import re
import unicodedata
from decimal import Decimal
from urllib.parse import urlsplit

import phonenumbers

from console.accounts import mailboxes

_EMAIL = re.compile(r"[^@\s<>\",;:()\[\]\\]{1,64}@(?:[\w-]{1,63}\.)+[^\W\d_]{2,63}")
_HOST = re.compile(r"(?:[\w-]{1,63}\.)+[^\W\d_][\w-]{1,62}")
_WHOLE = re.compile(r"[0-9]{1,15}", re.ASCII)
# As long as the library reads them behind each label.
_EXTENSION = re.compile(
    r"[\s,;-]*(?:(?:ext(?:ension|n)?|доб|anexo)[\s.:=]*[0-9]{1,20}|(?:x|#|int)[\s.:=]*[0-9]{1,9})\s*$",
    re.IGNORECASE,
)
# A word before or after an amount. Some are a part of it.
_BESIDE = re.compile(r"^[^\W\d_]+\.?|[^\W\d_]+\.?$")
_LARGE = frozenset(
    [
        "k",
        "m",
        "mn",
        "mio",
        "mln",
        "bn",
        "mrd",
        "tsd",
        "thousand",
        "million",
        "millions",
        "billion",
        "lakh",
        "lakhs",
        "crore",
        "crores",
    ]
)
_PERCENT = re.compile(r"[0-9]{1,3}(?:\.[0-9]*)?", re.ASCII)
_DOTTED = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}", re.ASCII)
# Also the blanks of printed figures: no-break, figure, punctuation, thin, hair, narrow no-break.
_BETWEEN_THOUSANDS = "[ ,'\u2019\u00a0\u2007-\u200a\u202f]"
_IN_THREES = rf"[0-9]{{1,3}}({_BETWEEN_THOUSANDS})[0-9]{{3}}(?:\1[0-9]{{3}})*"
_IN_LAKHS = "[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}"
_GROUPED = re.compile(rf"-?(?:[0-9]+|{_IN_THREES}|{_IN_LAKHS})(?:\.[0-9]*)?")
# Dots between thousands, which can only be that: with a decimal comma, or several of them.
_BY_DOTS = re.compile(r"-?[0-9]{1,3}(?:(?:\.[0-9]{3})+,[0-9]{1,2}|(?:\.[0-9]{3}){2,})", re.ASCII)
# A dash in place of the smallest units, as in Switzerland and the Netherlands: 18'000.–, 18.000,-
_DASH = re.compile(r"([.,])[-\u2013\u2014]$")
_SIGNS_IN_ASCII = str.maketrans({"\u066b": ".", "\u066c": ",", "\u2212": "-"})


def in_ascii(text: str) -> str:
    """Return a number in digits and separators of any script in those of ASCII."""
    digits = (str(unicodedata.decimal(sign, sign)) for sign in text)
    return "".join(digits).translate(_SIGNS_IN_ASCII)


def ungrouped(text: str) -> str:
    """Return a number without its thousands separators, or "" if it is ambiguous.

    A comma that is not before three digits may be a decimal comma: to some, `18,00` is eighteen.
    """
    text = _DASH.sub(lambda found: ",00" if found[1] == "," and "." in text else "", text)
    if _BY_DOTS.fullmatch(text):
        return text.replace(".", "").replace(",", ".")
    return re.sub(_BETWEEN_THOUSANDS, "", text) if _GROUPED.fullmatch(text) else ""


def whole(text: str) -> int | None:
    digits = ungrouped(text)
    return int(digits) if _WHOLE.fullmatch(digits) else None


def is_ambiguous(text: str) -> bool:
    """Tell whether a dot may separate thousands or decimals: `18.000`."""
    return _DOTTED.fullmatch(text) is not None


def currency_beside(text: str) -> str:
    """Return the first word beside an amount, such as `Fr.` or `kr`, or ""; not `18k`."""
    words = _BESIDE.findall(text)
    is_large = any(word.lower().rstrip(".") in _LARGE for word in words)
    return words[0] if words and not is_large else ""


def percentage(text: str) -> Decimal | None:
    digits = text.removesuffix("%").strip()
    return Decimal(digits) if _PERCENT.fullmatch(digits) else None


def plain(number: Decimal) -> str:
    """Return a decimal without exponent and trailing zeros: `12.5`, `100`, `0`."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def email(text: str) -> str | None:
    return mailboxes.as_shown(text) if len(text) <= 254 and _EMAIL.fullmatch(text) else None


def web_address(text: str) -> str | None:
    """Return the URL, with https as its scheme if none was typed."""
    try:
        parts = urlsplit(text if "://" in text else f"https://{text}")
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or parts.username or not _HOST.fullmatch(host):
        return None
    return None if len(text) > 500 or re.search(r"\s", text) else parts.geturl()


def not_dialled(text: str) -> str:
    """Return the first word or sign that is no part of a telephone number, or "".

    The library would read letters as the digits on their keys, and leave out other signs.
    """
    found = re.search(r"[^\W\d_]+|[^\s\d+()./\u2010-\u2015-]", _EXTENSION.sub("", text))
    return found[0] if found else ""


def telephone(text: str) -> "phonenumbers.PhoneNumber | None":
    """Return the number if it has a country code. Its length is not checked here."""
    try:
        return phonenumbers.parse(text, None)
    except phonenumbers.NumberParseException:
        return None
