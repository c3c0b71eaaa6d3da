"""One case, every deed that staff can do to it, and how colleagues prepare each deed."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.test import Client
from django.urls import reverse

from agreements.approvals import approvals, countersigning
from agreements.lifecycle import OUTDATED, DecisionRole, PackStatus
from agreements.models import Pack
from agreements.packs import generating, packs
from agreements.required_approvals import APPROVERS
from console.accounts import staff
from console.accounts.actors import SYSTEM
from console.accounts.models import User
from console.accounts.roles import Role
from console.catalogue.definitions import PRODUCTS
from console.core import clock
from console.core.refusals import Refused
from onboarding.checks import runs, waivers
from onboarding.evidence import authority
from onboarding.evidence.models import EvidenceFile
from onboarding.information.models import CORRECT
from onboarding.intake import applications
from onboarding.lifecycle import ApplicationStatus, Capacity, CheckStatus
from onboarding.models import Application, Check
from onboarding.review import authority_decisions, decisions, event_handlers, information_requests
from onboarding.review.ask_form import MOST
from onboarding.review.information_requests import Asked
from tests import factories
from tests.onboarding import answered

WRITTEN = {"ow_signatory_basis": "authority_document"}
NOTE = "The owners add up to ninety."
DECIDE_WAIVER = "decide a waiver"
# A request to correct an answer, which returns the case, as the verb and the form take it.
CORRECTED = Asked(CORRECT, NOTE, "li_legal_name")
ASKED = {"words_1": NOTE, "about_1": "li_legal_name"} | {
    f"need_{number}": CORRECT for number in range(1, MOST + 1)
}
# The role that lets a person act in each capacity.
HELD_BY = {
    Capacity.COMPLIANCE: Role.HEAD_OF_COMPLIANCE,
    Capacity.COMMERCIAL: Role.COMMERCIAL,
    Capacity.LEGAL: Role.LEGAL,
    Capacity.COUNTERSIGNATORY: Role.COUNTERSIGNATORY,
    Capacity.ACCOUNT_MANAGER: Role.ACCOUNT_MANAGER,
}


@dataclass(frozen=True)
class Case:
    """A case at tier HIGH whose pack is in approval, and colleagues who prepare each deed."""

    pack: Pack
    colleagues: dict[str, User]

    @property
    def application(self) -> Application:
        return factories.fresh(self.pack.application)

    @property
    def now(self) -> Pack:
        return factories.fresh_pack(self.pack)

    @property
    def check(self) -> Check:
        submission = self.application.submission
        assert submission is not None
        return submission.checks.in_order()[0]


@dataclass(frozen=True)
class Deed:
    """An action of a member of staff on a case, by the verb or by its page.

    If it `is_judgement`, doing it makes the person a reviewer of the case.
    """

    name: str
    capacity: Capacity
    ready: Callable[[Case], None]
    verb: Callable[[Case, User], object]
    page: Callable[[Case], tuple[str, dict[str, Any]]]
    is_judgement: bool = True

    def by_verb(self, case: Case, person: User) -> bool:
        try:
            with transaction.atomic():
                self.verb(case, person)
        except Refused:
            return False
        return True

    def by_page(self, case: Case, person: User) -> bool:
        path, form = self.page(case)
        client = factories.signed_in(Client(), person)
        code = factories.a_code(factories.seed_of(person))
        response: Any = client.post(path, form | {"code": code})
        for close in response._resource_closers:
            close()  # response.close() would also close the database connection
        assert response.status_code < 500
        return bool(response.status_code == 302 and "/confirm/" not in response.url)


def build() -> Case:
    """Create a case whose HIGH-tier pack is signed and in approval."""
    pack = factories.a_pack(PackStatus.IN_APPROVAL, tier="HIGH")
    roles = (Role.COMPLIANCE, Role.HEAD_OF_COMPLIANCE, Role.COMMERCIAL, Role.LEGAL)
    return Case(pack, {str(role): factories.one_of_staff(role) for role in roles})


def a_reviewer(*capacities: Capacity) -> User:
    return factories.one_of_staff(*(HELD_BY[capacity] for capacity in capacities))


def changed_to(person: User, capacity: Capacity) -> User:
    """Replace the person's roles with the one for that capacity."""
    for role in HELD_BY.values():
        staff.take_role(person, role, by=SYSTEM)
    staff.give_role(person, HELD_BY[capacity], by=SYSTEM)
    return person


def given(person: User, capacity: Capacity) -> None:
    staff.give_role(person, HELD_BY[capacity], by=SYSTEM)


def renewed(case: Case) -> None:
    """Bring a returned case back to a signed pack, rendering its documents again."""
    if case.application.status != ApplicationStatus.RETURNED:
        return
    owner = factories.owner_of(case.pack.business)
    changes = answered.HIGH | {"ow_signatory_email": owner.email}
    application = factories.filled(case.application, **changes)
    application = applications.submit(application, declared=True, by=owner)
    assert application.submission is not None
    runs.run_all(application.submission)
    event_handlers.go_on(application)
    _clear(case)
    factories.walked(case.now, PackStatus.IN_APPROVAL)


def _release(case: Case) -> None:
    if case.application.status == ApplicationStatus.HELD:
        decisions.release(case.application, note=NOTE, by=case.colleagues["compliance"])


def _hold(case: Case) -> None:
    if case.application.status != ApplicationStatus.HELD:
        decisions.hold(case.application, note=NOTE, by=case.colleagues["compliance"])


def _in_review(case: Case) -> None:
    if case.application.status == ApplicationStatus.CLEARED:
        _hold(case)
    _release(case)


def _clearable(case: Case) -> None:
    _in_review(case)
    settle_check(case)
    _accept_authority(case)


def _accept_authority(case: Case) -> None:
    if authority.awaits_decision(case.application):
        by, file = case.colleagues["legal"], _authority_file(case)
        authority_decisions.decide(case.application, accepted=True, file=file, by=by)


def _clear(case: Case) -> None:
    _release(case)
    settle_check(case)
    _accept_authority(case)
    if case.application.status == ApplicationStatus.SUBMITTED:
        factories.clear(case.application, by=case.colleagues["head_of_compliance"])
    pack = packs.prepare(case.application, by=SYSTEM)
    if pack.status == PackStatus.GENERATING:
        generating.run(pack)


def _with_authority(case: Case) -> None:
    """Let the business submit again, with a written authority that nobody has decided on."""
    if authority.awaits_decision(case.application):
        return _release(case)
    _in_review(case)
    if case.application.status != ApplicationStatus.RETURNED:
        by = case.colleagues["compliance"]
        decisions.return_for_changes(case.application, note=NOTE, by=by)
    owner = factories.owner_of(case.pack.business)
    changes = answered.HIGH | {"ow_signatory_email": owner.email} | WRITTEN
    application = factories.filled(case.application, **changes)
    factories.an_evidence_file(application, kind="authority", name="resolution.pdf")
    application = applications.submit(application, declared=True, by=owner)
    assert application.submission is not None
    runs.run_all(application.submission)
    event_handlers.go_on(application)
    return _release(case)


def _authority_file(case: Case) -> EvidenceFile | None:
    files = authority.files_of(case.application)
    return files[0] if files else None


def _authority_page(case: Case) -> tuple[str, dict[str, Any]]:
    path = reverse("onboarding:decide_authority", args=[case.pack.application.public_id])
    file = _authority_file(case)
    return path, {"accepted": "yes", "file": file.public_id if file else ""}


def _end_waiver(case: Case) -> None:
    if case.check.status == CheckStatus.WAIVED:
        runs.move(case.check, CheckStatus.EXPIRED, by=SYSTEM)


def settle_check(case: Case) -> None:
    """Finish the check, letting a colleague decide it if it needs review."""
    _end_waiver(case)
    if case.check.status in (*runs.UNFINISHED, CheckStatus.EXPIRED, CheckStatus.FAILED):
        runs.run(case.check)
    if case.check.status == CheckStatus.NEEDS_REVIEW:
        runs.decide(case.check, passed=True, reason=NOTE, by=case.colleagues["compliance"])


@transaction.atomic
def _fail(case: Case) -> None:
    """Make the check fail, refusing any waiting waiver first."""
    if (waiver := case.check.waivers.waiting().first()) is not None:
        both = case.colleagues["compliance"], case.colleagues["head_of_compliance"]
        by = next(one for one in both if one != waiver.proposed_by)
        waivers.decide(waiver, confirmed=False, reason=NOTE, by=by)
    _end_waiver(case)
    if case.check.status not in (CheckStatus.RUNNING, CheckStatus.NEEDS_REVIEW, CheckStatus.FAILED):
        runs.move(case.check, CheckStatus.RUNNING, by=SYSTEM)
    if case.check.status == CheckStatus.NEEDS_REVIEW:
        runs.decide(case.check, passed=False, reason=NOTE, by=case.colleagues["compliance"])
    if case.check.status != CheckStatus.FAILED:
        runs.move(case.check, CheckStatus.FAILED, by=SYSTEM)


def _propose_waiver(case: Case) -> None:
    """Let a colleague propose a waiver of the check, unless one is waiting."""
    if not case.check.waivers.waiting().exists():
        _fail(case)
        _waive(case, case.colleagues["head_of_compliance"])


def _waive(case: Case, person: User) -> None:
    ends_at = clock.now() + timedelta(days=30)
    waivers.propose(case.check, reason=NOTE, ends_at=ends_at, by=person)


def _decide_waiver(case: Case, person: User) -> None:
    waiver = case.check.waivers.waiting().get()
    waivers.decide(waiver, confirmed=True, reason=NOTE, by=person)


@transaction.atomic
def ask(case: Case) -> None:
    """Move the check to NEEDS_REVIEW."""
    _end_waiver(case)
    check = case.check
    if check.status != CheckStatus.NEEDS_REVIEW:
        if check.status != CheckStatus.RUNNING:
            check = runs.move(check, CheckStatus.RUNNING, by=SYSTEM)
        runs.move(check, CheckStatus.NEEDS_REVIEW, by=SYSTEM)


def _approve_the_rest(case: Case) -> None:
    """Let the colleagues give every missing approval."""
    _clear(case)
    for role in APPROVERS:
        held = (
            [HELD_BY[role], Role.COMPLIANCE] if role == DecisionRole.COMPLIANCE else [HELD_BY[role]]
        )
        for one in held:
            if approvals.places_left(case.now, role) > 0:
                by, seen = case.colleagues[str(one)], factories.signed_set(case.now)
                approvals.approve(
                    case.now, role, signed_set_sha256=seen, proof=factories.BY_CODE, by=by
                )
    factories.checked_seal()


def _press(verb: Callable[..., object], **said: object) -> Callable[[Case, User], object]:
    return lambda case, person: verb(case.application, **said, by=person)


def _case_page(name: str, **form: str) -> Callable[[Case], tuple[str, dict[str, str]]]:
    return lambda case: (reverse(name, args=[case.pack.application.public_id]), form)


def _check_page(name: str, **form: str) -> Callable[[Case], tuple[str, dict[str, str]]]:
    return lambda case: (reverse(name, args=[case.check.public_id]), form)


def _on_pack(verb: Callable[..., object], role: Capacity, **said: object) -> Callable[..., object]:
    return lambda case, person: verb(
        case.now, role, signed_set_sha256=factories.signed_set(case.now), **said, by=person
    )


def _pack_page(name: str, **form: str) -> Callable[[Case], tuple[str, dict[str, str]]]:
    return lambda case: (
        reverse(name, args=[case.pack.application.public_id]),
        {"signed_set_sha256": factories.signed_set(case.now), **form},
    )


def _approving_page(role: Capacity) -> Callable[[Case], tuple[str, dict[str, str]]]:
    """Return the page for approving; commercial ticks every product on a separate page."""
    if role != DecisionRole.COMMERCIAL:
        return _pack_page("agreements:approve", role=str(role))
    ticked = {f"approve_{key}": "on" for key in PRODUCTS}
    return _pack_page("agreements:approve_products", **ticked)


# Possible at any time, also after execution.
WAIVING = (
    Deed(
        "propose a waiver", Capacity.COMPLIANCE, _fail, _waive,
        _check_page("onboarding:waive_check", days="30", reason=NOTE),
    ),
    Deed(
        DECIDE_WAIVER, Capacity.COMPLIANCE, _propose_waiver, _decide_waiver,
        _check_page("onboarding:decide_waiver", confirmed="yes", reason=NOTE),
    ),
)  # fmt: skip


def _deeds() -> Iterable[Deed]:
    compliance, note = Capacity.COMPLIANCE, {"note": NOTE}
    pressed = {
        "hold": (_release, _press(decisions.hold, **note), note),
        "release": (_hold, _press(decisions.release, **note), note),
        "return": (_release, _press(decisions.return_for_changes, **note), note),
        "decline": (_release, _press(decisions.decline, **note), note),
        "ask": (_release, _press(information_requests.ask, asked=[CORRECTED]), ASKED),
    }
    for name, (ready, verb, form) in pressed.items():
        yield Deed(name, compliance, ready, verb, _case_page(f"onboarding:{name}", **form))
    yield Deed(
        "clear", compliance, _clearable,
        lambda case, person: factories.clear(case.application, by=person),
        lambda case: (
            reverse("onboarding:clear", args=[case.pack.application.public_id]),
            factories.clearing_form(case.application),
        ),
    )  # fmt: skip
    yield Deed(
        "decide on the authority", Capacity.LEGAL, _with_authority,
        lambda case, person: authority_decisions.decide(
            case.application, accepted=True, file=_authority_file(case), by=person
        ),
        _authority_page,
    )  # fmt: skip
    yield Deed(
        "decide a check", compliance, ask,
        lambda case, person: runs.decide(case.check, passed=True, reason=NOTE, by=person),
        _check_page("onboarding:decide_check", passed="yes", reason=NOTE),
    )  # fmt: skip
    yield Deed(
        "run a check again", compliance, settle_check,
        lambda case, person: runs.again(case.check, by=person),
        _check_page("onboarding:check_again"),
    )  # fmt: skip
    for role in APPROVERS:
        yield Deed(
            f"approve as {role}", role, _clear,
            _on_pack(approvals.approve, role, proof=factories.BY_CODE),
            _approving_page(role),
        )  # fmt: skip
        yield Deed(
            f"send back as {role}", role, _clear, _on_pack(approvals.send_back, role, **note),
            _pack_page("agreements:send_back", role=str(role), **note),
        )  # fmt: skip
    yield Deed(
        "countersign", Capacity.COUNTERSIGNATORY, _approve_the_rest,
        lambda case, person: countersigning.countersign(
            case.now, signed_set_sha256=factories.signed_set(case.now),
            proof=factories.BY_CODE, by=person,
        ),
        _pack_page("agreements:countersign"),
    )  # fmt: skip


DEEDS = tuple(_deeds())


def make_ready(deed: Deed, case: Case) -> bool:
    """Prepare the case for the deed; return whether that worked."""
    with suppress(Refused):
        with transaction.atomic():
            deed.ready(case)
        return True
    return False


def needs_rendering(case: Case) -> bool:
    return case.now.status in OUTDATED
