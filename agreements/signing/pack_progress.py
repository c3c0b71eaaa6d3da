"""Progress of a pack as its business sees it, and its stages in the business's overall progress."""

from dataclasses import dataclass

from django.db.models import Prefetch, prefetch_related_objects
from django.urls import reverse
from django.utils.translation import gettext as _

from agreements import statuses
from agreements.approvals import approvals
from agreements.lifecycle import (
    ABANDONED,
    OFFERED,
    DecisionKind,
    DocumentStatus,
    PackStatus,
)
from agreements.models import Pack
from agreements.required_approvals import required_approvals
from agreements.signing import awaited
from agreements.signing.reading_list import ListedDocument
from console.accounts.models import Business
from console.core.status_table import BusinessText, StageState, StepPlace
from console.shell.progress import ProgressStep, StageStatus

S = PackStatus
BEING_RENDERED = (S.GENERATING, S.GENERATED, S.QUARANTINED)
# The business waits for us, so its page polls for changes.
WITH_US = (S.QUARANTINED, S.SIGNED, S.IN_APPROVAL, S.APPROVED, S.COUNTERSIGNING, S.SEAL_FAILED)


@dataclass(frozen=True)
class Count:
    """A count out of a total."""

    done: int
    total: int


def told(pack: Pack) -> BusinessText:
    return statuses.PACK[pack.status].business


def heading(pack: Pack, listed: list[ListedDocument]) -> BusinessText:
    """Return the page's heading: for a signatory, what is left for them, whoever else accepted."""
    if pack.status not in OFFERED:
        return told(pack)
    status = S.READY_TO_SIGN if all(one.mine for one in listed) else S.IN_REVIEW
    return statuses.PACK[status].business


def rendered(listed: list[ListedDocument]) -> Count:
    """Return how many documents are rendered."""
    done = sum(one.document.status != DocumentStatus.RENDERING for one in listed)
    return Count(done, len(listed))


def approved(pack: Pack) -> Count:
    """Return how many of our approvals are given."""
    given = approvals.decisions(pack).filter(verdict=DecisionKind.APPROVED).count()
    return Count(given, sum(required_approvals(pack.tier).values()))


def steps(pack: Pack, listed: list[ListedDocument]) -> list[ProgressStep]:
    """Return the five steps of a pack, or none if it was abandoned."""
    if pack.status in ABANDONED:
        return []
    here = statuses.PACK[pack.status].step
    behind = here.behind
    accepted = sum(1 for one in listed if one.mine or one.others)
    given = approved(pack)
    details = (
        (
            _("Documents prepared"),
            _("%(count)s documents") % {"count": len(listed)} if behind else _("From your answers"),
        ),
        (
            _("Read and accepted"),
            _("%(accepted)s of %(count)s accepted") % {"accepted": accepted, "count": len(listed)}
            if behind == 1
            else "",
        ),
        (_("Signed"), _("Once, for all documents") if behind < 3 else ""),
        (
            _("Approved by us"),
            _("%(done)s of %(total)s approvals") % {"done": given.done, "total": given.total}
            if behind == 3
            else "",
        ),
        (_("Countersigned and sealed"), _("The agreement is then executed") if behind < 5 else ""),
    )
    return [
        ProgressStep(title, _state(place, here), detail, "", "")
        for place, (title, detail) in enumerate(details)
    ]


def _state(place: int, here: StepPlace) -> StageState:
    if place < here.behind:
        return "done"
    return here.state if place == here.behind else "todo"


# Stages of the business's progress --------------------------------------------------------------


def signing_stage(business: Business) -> StageStatus:
    """Return the stage “Read and sign”."""
    pack, here = _newest(business)
    if pack is None or pack.status in ABANDONED:
        return StageStatus("todo", _("Each document, then one signature"))
    if here.behind > 2:
        return StageStatus("done", _("Signed"), _url(pack), _("See"))
    if not (people := awaited.awaited(pack)):
        return StageStatus(here.state, _(told(pack).at_the_step), _url(pack), _("Open"))
    said = {"name": awaited.names_of(people), "words": people[0].words}
    others = _("Waiting for %(name)s.") if people[1:] else _("Waiting for %(name)s. %(words)s")
    mine = _(told(pack).at_the_step)
    emails = tuple(one.email for one in people)
    return StageStatus(here.state, mine, _url(pack), _("Read and sign"), emails, others % said)


def approving_stage(business: Business) -> StageStatus:
    """Return the stage “Approvals”."""
    pack, here = _newest(business)
    if pack is None or here.behind < 3:
        return StageStatus("todo", _("Compliance, commercial and legal"))
    if here.behind > 3:
        return StageStatus("done", _("Given"))
    given = approved(pack)
    return StageStatus(
        "current",
        _("%(done)s of %(total)s given") % {"done": given.done, "total": given.total},
        _url(pack),
        _("See"),
    )


def executing_stage(business: Business) -> StageStatus:
    """Return the stage “Executed”."""
    pack, here = _newest(business)
    if pack is None or here.behind < 4:
        return StageStatus("todo", _("We countersign, and every document is sealed"))
    return StageStatus(here.state, _(told(pack).at_the_step), _url(pack), _("See"))


def _newest(business: Business) -> tuple[Pack | None, StepPlace]:
    """Return the newest pack, and its place in the steps; one taken back leaves an earlier one.

    The packs are read once for a row of a business: a page asks for three stages of it.
    """
    rows = Pack.objects.of(business).select_related("business", "revision")
    prefetch_related_objects([business], Prefetch("pack_set", rows, to_attr="packs_of_progress"))
    packs: list[Pack] = vars(business)["packs_of_progress"]
    others = (pack for pack in packs if pack.status not in (S.WITHDRAWN, S.REJECTED))
    pack = next(others, packs[0] if packs else None)
    return pack, statuses.PACK[pack.status].step if pack else StepPlace(0, "todo")


def _url(pack: Pack) -> str:
    return reverse("agreements:pack", args=[pack.business.public_id])
