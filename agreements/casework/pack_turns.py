"""When a pack becomes the turn of one of our staff."""

from django.utils.translation import gettext as _

from agreements.approvals import approvals
from agreements.approvals.approvals import PERMISSIONS
from agreements.casework import work_queue
from agreements.lifecycle import STOPPED, DecisionRole, PackStatus
from agreements.models import Pack
from agreements.required_approvals import APPROVERS
from console.accounts.models import User
from console.accounts.roles import Permission
from console.governance.turns import StaffTurn, TurnKind, name_of
from console.shell.modules import May
from onboarding import case_acts

_SUBJECTS = {"pak": "public_id", "app": "application__public_id", "biz": "business__public_id"}


def find(subject_id: str, person: User, may: May) -> StaffTurn | None:
    """Return what this person does about a pack, found by its, its case's or business's id."""
    named = {_SUBJECTS[subject_id.partition("_")[0]]: subject_id}
    rows = work_queue.waiting(person, may).filter(**named)
    pack = rows.select_related("business", "application", "revision").first()
    if pack is None:
        return None
    names = {"number": pack.number, "business": name_of(pack.business)}
    path = pack.application.case_url
    if pack.status in STOPPED:
        title = _("%(number)s of %(business)s has stopped. Find the cause, then retry")
        return StaffTurn(f"{pack.public_id} {pack.events.count()}", title % names, path)
    mark = f"{pack.public_id} {pack.revision_id} {pack.status}"
    if pack.status == PackStatus.APPROVED:
        title = _("%(number)s of %(business)s waits for your countersignature")
        able = _acts(pack, DecisionRole.COUNTERSIGNATORY, person)
    else:
        title = _("%(number)s of %(business)s waits for your approval")
        able = any(
            may(PERMISSIONS[role])
            and _acts(pack, role, person)
            and not approvals.blockers(pack, role, person)
            for role in APPROVERS
        )
    return StaffTurn(mark, title % names, path) if able else None


def _acts(pack: Pack, role: DecisionRole, person: User) -> bool:
    return not case_acts.blockers(pack.application, role, person)


KIND = TurnKind(
    "packs",
    events=(
        "pack.in_approval",
        "pack.approved",
        "pack.quarantined",
        "pack.seal_failed",
        "application.released",
        "access.restored",
    ),
    permissions=(*PERMISSIONS.values(), Permission.PACK_OPERATE, Permission.APPLICATION_RETURN),
    find=find,
    lists=("packs",),
)
