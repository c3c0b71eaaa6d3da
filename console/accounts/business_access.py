"""The access that a business needs for every step towards a contract or a key.

Reading, downloading, withdrawing, declining and revoking stay possible without it.
"""

from django.utils.translation import gettext as _

from console.accounts.lifecycle import Access
from console.accounts.models import Business
from console.core.refusals import Blocker, NotReady
from console.core.text import isolated


class AccessStopped(NotReady):
    """The business is suspended or closed."""

    code = "access_stopped"


def blockers(business: Business, *, is_told: bool = True) -> list[Blocker]:
    """Return why a business can take no further step. `is_told`: the business reads it."""
    if business.status == Access.ACTIVE:
        return []
    if business.status == Access.CLOSED:
        said = _("The access of %(name)s is closed. This is final.")
    elif is_told:
        said = _("The access of %(name)s is suspended. Wait until we restore it, or write to us.")
    else:
        said = _("The access of %(name)s is suspended. Compliance must restore it first.")
    return [Blocker("business", said % {"name": isolated(business.name)})]


def require(business: Business, *, is_told: bool = True) -> Business:
    """Return the locked business, or raise AccessStopped.

    A suspension at the same moment waits. Lock an application or a pack before, a grant after.
    """
    business = Business.objects.locked(business)
    for blocker in blockers(business, is_told=is_told):
        raise AccessStopped(blocker.message)
    return business
