"""Web addresses in what people type: what a mail program would make a link of."""

import re
import unicodedata

# Dots that programs read as one; NFKC folds the rest.
_DOTS = str.maketrans({"\u3002": ".", "\uff61": ".", "\u2024": "."})
# Endings that are not two letters, of those that programs know and that attackers buy.
_ENDINGS = (
    "com|net|org|info|biz|name|pro|mobi|app|dev|xyz|online|site|website|shop|store|link|click|page"
    "|live|top|club|cloud|tech|space|fun|icu|vip|work|support|help|email|chat|news|blog|world|zone"
    "|today|finance|bank|money|pay|cash|loan|win|bid|review|download|stream|digital|agency|example"
)
# Two letters are a country's; one letter before the dot is an initial (A.B. Ltd).
_NAME = rf"[^\W_][\w-]+\.(?:[a-z]{{2}}|{_ENDINGS}|xn--[\w-]+)(?![\w-])"
_LINK = re.compile(rf"[a-z][a-z0-9+.-]*://|\bwww\.|{_NAME}", re.IGNORECASE)


def holds_web_address(text: str) -> bool:
    """Tell whether a mail program would show a part of the text as a link."""
    return bool(_LINK.search(unicodedata.normalize("NFKC", text.translate(_DOTS))))
