"""Web addresses in what people type: what a mail program would make a link of."""

import re
import unicodedata

from console.core.text import without_marks

# Dots that programs read as one; NFKC folds the rest.
_DOTS = str.maketrans({"\u3002": ".", "\uff61": ".", "\u2024": "."})
# Endings that are not two letters, of those that programs know and that attackers buy: these count
# in whatever case they are written, so they are none that stand behind a dot in honest names.
_ENDINGS = (
    "com|net|org|info|biz|name|pro|mobi|app|dev|xyz|online|site|website|shop|store|link|click|page"
    "|live|top|club|cloud|tech|space|fun|icu|vip|work|support|help|email|chat|news|blog|world|zone"
    "|today|finance|bank|money|pay|cash|loan|win|bid|review|download|stream|digital|agency|example"
    "|zip|mov|company|one|ltd|media|group|global|security|edu|gov|services|solutions|network|inc"
    "|llc|gmbh|capital|credit|fund|exchange|business|center|international|systems|rocks|ninja"
)
# Two letters are a country's; one letter before the dot is an initial (A.B. Ltd).
_NAME = rf"[^\W_][\w-]+\.(?:[a-z]{{2}}|{_ENDINGS}|xn--[\w-]+)(?![\w-])"
# Behind one letter too: the endings that are no surname, and any where a path or a port follows.
# A surname there has a capital (J.Smith/K.Jones).
_SHORT = rf"[\w-]\.(?:com|net|org)(?![\w-])|[\w-]\.(?:[a-z]{{2}}|{_ENDINGS}|(?-i:[a-z]+))(?:/|:\d)"
_MAILBOX = r"[^\s@]@[\w.-]*[\w-]\.[^\W\d_]{2}"
_HOST = r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?:/|:\d)|(?<![\w-])[a-z][\w.-]*:\d{2,5}/"
_LINK = re.compile(
    rf"[a-z][a-z0-9+.-]*://|\bwww\.|{_NAME}|{_SHORT}|{_MAILBOX}|{_HOST}", re.IGNORECASE
)
# Any other two words with a dot and no space between them. There are 1,500 endings, and more each
# year: so no list, but how the second is written. Behind an abbreviation it is the rest of a name.
_PAIR = re.compile(r"(?<![\w-])(?=([\w-]{2,})\.([^\W\d_]{2,})(?![\w-]))")
_SHORTENED = re.compile(r"bros|co|dr|ft|inc|ing|jr|ltd|mrs?|mt|no|nr|prof|pte|pty|pvt|sr|sta?|ste")
# A company's form, written without its space: no link of anybody's, unless more stands around it.
_FORM = re.compile(r"(?<![\w.@-])(?:co|pte|pty|pvt)\.ltd(?![\w/:@-]|\.\w)", re.IGNORECASE)


def holds_web_address(text: str) -> bool:
    """Tell whether a mail program would show a part of the text as a link."""
    # Letters alone make a word here: an accent is none.
    folded = without_marks(unicodedata.normalize("NFKC", text.translate(_DOTS)))
    plain = _FORM.sub("", folded)
    return bool(_LINK.search(plain)) or any(map(_is_host, _PAIR.finditer(plain)))


def _is_host(pair: re.Match[str]) -> bool:
    """Tell whether two words could be a host: all in capitals, or the second in none."""
    name, ending = pair.groups()
    if _SHORTENED.fullmatch(name.casefold()):
        return False
    return ending == ending.lower() or (name == name.upper() and ending == ending.upper())
