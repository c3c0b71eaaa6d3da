"""Search for applications: reviewers find every submitted one, others their own."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from console.accounts import access, page_access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.roles import Permission
from console.shell.search import EACH, SearchHit
from onboarding.models import Application


def applications(request: ConsoleRequest, words: str) -> Iterator[SearchHit]:
    """Find applications by part of the business's name, the business's full id, or their own id."""
    user = request.user
    # As on staff pages, nothing can be found without the second factor.
    reviews = page_access.admits_staff(request) and access.can(user, Permission.REVIEW_VIEW)
    every = Application.objects.seen_by_staff()
    own = Application.objects.filter(business__in=Business.objects.of(user), public_id=words)
    rows = every.filter(_named(words)) if reviews else own
    rows = rows.select_related("business").order_by("-pk")
    for application in rows[:EACH]:
        address = application.case_url if reviews else application.get_absolute_url()
        status = application.get_status_display() if reviews else application.told_status.label
        detail = _("Application %(public_id)s, %(status)s") % {
            "public_id": application.public_id,
            "status": status.lower(),
        }
        yield SearchHit(application.business.name, detail, address, "folder-open")


def _named(words: str) -> Q:
    """Match an id, or the newest businesses with a submitted application and these words."""
    seen = Application.objects.seen_by_staff().filter(business=OuterRef("pk"))
    named = Business.objects.filter(
        Q(public_id=words) | Q(name__folded__contains=words), Exists(seen)
    )
    return Q(public_id=words) | Q(business__in=list(named.order_by("-pk")[:EACH]))
