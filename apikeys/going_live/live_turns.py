"""When a request to go live becomes the turn of an account manager or the head of compliance."""

from django.urls import reverse
from django.utils.translation import gettext as _

from apikeys.going_live import requests
from console.accounts import staff
from console.accounts.models import Business, User
from console.accounts.roles import Permission
from console.governance.turns import StaffTurn, TurnKind, name_of
from console.shell.modules import May
from onboarding import case_acts
from onboarding.lifecycle import Capacity


def find(subject_id: str, person: User, may: May) -> StaffTurn | None:
    """Return the request that this person proposes or decides next, by its or its business's ID.

    If the business has an account manager, other account managers do not hear of it.
    """
    named = "business__public_id" if subject_id.startswith("biz_") else "public_id"
    rows = requests.waiting(person, may).filter(**{named: subject_id})
    request = rows.select_related("business__account_manager", "application").first()
    if request is None:
        return None
    decides = request.proposed_at is not None
    capacity = Capacity.COMPLIANCE if decides else Capacity.ACCOUNT_MANAGER
    if not decides and _is_of_another(request.business, person):
        return None
    if case_acts.blockers(request.application, capacity, person):
        return None
    title = (
        _("The request of %(business)s to go live waits for your decision")
        if decides
        else _("%(business)s asks to go live: propose it or talk to them")
    )
    return StaffTurn(
        f"{request.public_id} {'decide' if decides else 'propose'}",
        title % {"business": name_of(request.business)},
        reverse("apikeys:go_live_request", args=[request.public_id]),
    )


def _is_of_another(business: Business, person: User) -> bool:
    """Tell whether another account manager, who still is one, looks after the business."""
    manager = business.account_manager
    if manager is None or manager == person:
        return False
    return staff.people_with(Permission.GO_LIVE_PROPOSE).filter(pk=manager.pk).exists()


KIND = TurnKind(
    "go_live_requests",
    events=(
        "go_live_request.requested",
        "go_live_request.proposed",
        "business.account_manager_set",
    ),
    permissions=(Permission.GO_LIVE_PROPOSE, Permission.GO_LIVE_DECIDE),
    find=find,
    lists=("go_live_requests",),
)
