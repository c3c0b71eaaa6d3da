"""Who holds an e-mail address: whoever confirmed it, and for 14 days whoever had it before.

An account that never confirmed an address does not hold it against anybody who proves it is theirs.
"""

import hashlib

from django.template.defaultfilters import date
from django.utils.translation import gettext as _

from console.accounts.models import EmailChange, User
from console.core.refusals import Refused
from console.events import work_claims


class AddressTaken(Refused):
    """Another account has this address, or had it until recently."""

    code = "address_taken"


def lock(email: str) -> None:
    """Lock an address until the transaction ends. Lock it before any user."""
    number = int.from_bytes(hashlib.sha256(email.encode()).digest()[:4])
    work_claims.lock(work_claims.ADDRESSES, number)


def confirmed(email: str) -> User | None:
    """Return the user who confirmed this address."""
    return User.objects.filter(email=email, email_confirmed_at__isnull=False).first()


def unconfirmed(email: str) -> User | None:
    """Return the user who never confirmed this address, locked."""
    rows = User.objects.select_for_update(no_key=True, of=("self",))
    return rows.filter(email=email, email_confirmed_at=None).first()


def reservation(email: str, *, besides: User | None = None) -> EmailChange | None:
    """Return the change for which an address is kept, if a user other than `besides` made it."""
    rows = EmailChange.objects.open_to_objection().exclude(confirmed_at=None)
    return rows.filter(old_email=email).exclude(person=besides).order_by("confirmed_at").last()


def free(email: str, *, person: User | None = None) -> None:
    """Free a locked address for this user, or a new one: remove an account that never confirmed it.

    Raise AddressTaken if another user confirmed it, or it is reserved for one.
    """
    stranger = unconfirmed(email)  # first: it waits for one who confirms it
    if confirmed(email) not in (None, person):
        raise AddressTaken(_("Another account has this address. Write to us to sort this out."))
    if kept := reservation(email, besides=person):
        raise AddressTaken(
            _(
                "Another account had this address until recently. We keep it for that account "
                "until %(date)s."
            )
            % {"date": date(kept.objection_ends_at, "j F Y")}
        )
    if stranger is not None:
        stranger.delete()
