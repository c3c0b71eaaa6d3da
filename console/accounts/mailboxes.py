"""E-mail address normalisation: one mailbox for all spellings, and checks of new addresses.

mailbox("V.Ictim+x@ｇmail.com")  -> "victim@gmail.com", for limits and “This is not me”
objection("www.evil.com@x.org")  -> why a new address is refused, or ""
"""

import re
import unicodedata
from contextlib import suppress

from django.utils.encoding import punycode
from django.utils.translation import gettext

# These servers ignore dots before the @, and the two domains are one.
_DOTLESS = frozenset({"gmail.com", "googlemail.com"})
# What may precede the @ of a new address: nothing that e-mail programs could read as a web address,
# such as a path, query or quoted string. Normal addresses contain dots, so holds_web_address is too
# strict here.
_LOCAL = re.compile(r"(?!www\.)[\w.!$%&'*+=^`{|}~-]{1,64}", re.ASCII | re.IGNORECASE)
# Servers treat this as a dot; NFKC normalises the others.
_IDEOGRAPHIC_STOP = "\u3002"


def mailbox(email: str) -> str:
    """Return the mailbox that an address delivers to: the same text for all its spellings."""
    local, _, typed = email.strip().lower().rpartition("@")
    domain = _as_sent(typed)
    local = local.partition("+")[0] or local
    if domain in _DOTLESS:
        local, domain = local.replace(".", ""), "gmail.com"
    return f"{local}@{domain}"


def as_shown(email: str) -> str:
    """Return an address as we store it, with a punycode domain converted to its Unicode form.

    So both spellings belong to one account.
    """
    local, at, domain = email.rpartition("@")
    with suppress(UnicodeError):
        letters = domain.lower().encode("ascii").decode("idna")
        # Leave domains unchanged that have no such form, or whose form does not convert back.
        if not letters.isascii() and _as_sent(letters) == domain.lower():
            domain = letters
    return local + at + domain


def objection(email: str) -> str:
    """Return why a new address is refused, or "" if it is acceptable.

    Existing accounts can sign in with any address.
    """
    local, _, domain = email.rpartition("@")
    if unicodedata.normalize("NFKC", domain) != domain or _IDEOGRAPHIC_STOP in domain:
        return gettext("Write the address in plain letters")
    try:
        punycode(domain)
    except UnicodeError:
        return gettext("Check the address: this server does not exist")
    if not local.isascii():
        return gettext(
            "Write the part before the @ without accents: we cannot send to this address"
        )
    if not _LOCAL.fullmatch(local):
        return gettext("Write the address without quotes, slashes or a web address before the @")
    return ""


def _as_sent(domain: str) -> str:
    """Return a domain in its ASCII form, or as typed if it has none."""
    try:
        return punycode(domain).lower()
    except UnicodeError:
        return domain
