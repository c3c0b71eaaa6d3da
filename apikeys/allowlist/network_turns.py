"""When a requested network becomes the turn of compliance."""

from django.urls import reverse
from django.utils.translation import gettext as _

from apikeys.models import NetworkRequest
from console.accounts import access
from console.accounts.models import User
from console.accounts.roles import Permission
from console.governance.turns import StaffTurn, TurnKind, name_of
from console.shell.modules import May


def find(subject_id: str, person: User, _may: May) -> StaffTurn | None:
    """Return the request, unless it is decided or this person belonged to the business."""
    rows = NetworkRequest.objects.waiting().select_related("grant__business")
    request = rows.filter(public_id=subject_id).first()
    if request is None or access.has_belonged(person, request.business):
        return None
    title = _("%(business)s requests a wide network") % {"business": name_of(request.business)}
    return StaffTurn(subject_id, title, reverse("apikeys:decide_network", args=[subject_id]))


KIND = TurnKind(
    "network_requests",
    events=("network.requested",),
    permissions=(Permission.NETWORK_DECIDE,),
    find=find,
    lists=("network_requests",),
)
