"""Addresses that are one mailbox, and addresses that would show as something else in an e-mail.

mailbox("V.Ictim+x@ｇmail.com")  -> "victim@gmail.com": what limits and “This is not me” go by
objection("www.evil.com@x.org")  -> why nobody may type it anew, in words, or nothing
"""

import re
import unicodedata
from contextlib import suppress

from django.utils.encoding import punycode
from django.utils.translation import gettext

# Their servers read no dots in what stands before the @, and both are one.
_DOTLESS = frozenset({"gmail.com", "googlemail.com"})
# What may stand before the @ of a new address: nothing that mail programs read as a web address,
# such as a path, a query or a quoted text. Honest ones hold dots: holds_web_address is too strict.
_LOCAL = re.compile(r"(?!www\.)[\w.!$%&'*+=^`{|}~-]{1,64}", re.ASCII | re.IGNORECASE)
# Servers read this as a dot; NFKC folds the others.
_IDEOGRAPHIC_STOP = "\u3002"


def mailbox(email: str) -> str:
    """Return what a mail server makes of an address: one text for all its spellings."""
    local, _, typed = email.strip().lower().rpartition("@")
    domain = _as_sent(typed)
    local = local.partition("+")[0] or local
    if domain in _DOTLESS:
        local, domain = local.replace(".", ""), "gmail.com"
    return f"{local}@{domain}"


def as_shown(email: str) -> str:
    """Return an address as it is kept: its domain in letters, also where it was typed in punycode.

    So both spellings are one account.
    """
    local, at, domain = email.rpartition("@")
    with suppress(UnicodeError):
        letters = domain.lower().encode("ascii").decode("idna")
        # Of a domain that has no such letters, or of which other letters are sent, nothing changes.
        if not letters.isascii() and _as_sent(letters) == domain.lower():
            domain = letters
    return local + at + domain


def objection(email: str) -> str:
    """Say what speaks against an address that is typed anew; nothing where it will do.

    An address that exists still signs in, whatever it holds.
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
    """Return a domain as the sender asks for it; one that cannot be asked for stays as typed."""
    try:
        return punycode(domain).lower()
    except UnicodeError:
        return domain
