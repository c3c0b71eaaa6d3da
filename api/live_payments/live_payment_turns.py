"""When a difference or a stuck instruction becomes the turn of an operator."""

from django.urls import reverse
from django.utils.translation import gettext as _

from api.live_payments import open_work
from console.accounts.models import User
from console.accounts.roles import Permission
from console.governance.turns import StaffTurn, TurnKind, name_of
from console.shell.modules import May


def find(subject_id: str, _person: User, _may: May) -> StaffTurn | None:
    """Return the open difference or stuck instruction with this ID as a turn."""
    page = reverse("api:live_payments")
    if row := open_work.breaks().filter(public_id=subject_id).first():
        title = _("A provider and our ledger disagree about %(business)s")
        return StaffTurn(row.public_id, title % {"business": name_of(row.business)}, page)
    if stuck := open_work.stuck().filter(public_id=subject_id).first():
        title = _("A live instruction of %(business)s has no result")
        mark = f"{stuck.public_id} stuck"
        return StaffTurn(mark, title % {"business": name_of(stuck.business)}, page)
    return None


KIND = TurnKind(
    "live_payments",
    events=("break.found", "instruction.stuck"),
    permissions=(Permission.OPERATE,),
    find=find,
    lists=("live_payments",),
)
