"""People, and things in a given state, reached by the real verbs."""

import time
from collections.abc import Callable
from itertools import count
from typing import Any

from django.db import transaction
from django.test import Client
from django_otp.oath import totp

from agreements import (
    approvals,
    countersigning,
    executing,
    generating,
    packs,
    pki,
    reading,
    signing,
)
from agreements.lifecycle import DecisionRole, PackStatus
from agreements.models import Pack
from console.accounts import businesses, factors, staff
from console.accounts.models import Business, Membership, User
from console.accounts.roles import Role
from console.core import clock
from console.events import outbox
from console.events.models import Handling
from onboarding import answers as answering
from onboarding import applications, reviews
from onboarding.checks import runs
from onboarding.lifecycle import Status
from onboarding.models import Application
from onboarding.questionnaire import loading
from tests.onboarding import answered

_number = count(1)


def settle() -> None:
    """Let the workers do everything that waits, here and now."""
    outbox.settle()


def a_person(name: str = "", *, email: str = "", password: str | None = None) -> User:
    """A person with a confirmed address."""
    number = next(_number)
    person = User.objects.create_user(
        email or f"person{number}@example.com", name=name or f"Person {number}", password=password
    )
    person.email_confirmed_at = clock.now()
    person.save(update_fields=["email_confirmed_at"])
    return person


def a_business(name: str = "Acme Limited", *, owner: User | None = None) -> Business:
    """A business whose owner has just registered it."""
    return businesses.register(name, by=owner or a_person())


def owner_of(business: Business) -> User:
    rows = Membership.objects.select_related("user")
    return rows.filter(business=business, role=Role.OWNER).order_by("pk")[0].user


def a_member(business: Business, role: Role) -> User:
    """A person who has that role in a business."""
    person = a_person()
    Membership.objects.create(user=person, business=business, role=role)
    return person


def one_of_staff(*roles: Role, password: str | None = None) -> User:
    """A person of our staff, with an authenticator."""
    person = a_person(password=password)
    for role in roles:
        staff.give_role(person, role, by=None)
    an_authenticator(person)
    return person


def an_authenticator(person: User) -> bytes:
    """A confirmed authenticator; returns its seed, so that a test can make codes."""
    app = factors.begin_set_up(person, by=person)
    app.confirmed = True
    app.save()
    return app.seed


def seed_of(person: User) -> bytes:
    """The seed of a person's authenticator."""
    app = factors.authenticator_of(person)
    assert app is not None
    return app.seed


def a_code(seed: bytes, *, ahead: int = 0) -> str:
    """The one-time code of this half minute, or of one that many half minutes ahead."""
    return f"{totp(seed, drift=ahead):06d}"


def signed_in(client: Client, person: User, *, by: str = "code") -> Client:
    """A client whose session is this person's, fresh from proving who they are."""
    client.force_login(person)
    session: Any = client.session
    if app := factors.authenticator_of(person):
        session["otp_device_id"] = app.persistent_id
    session["confirmed"] = {"at": clock.now().isoformat(), "by": by}
    session["began_at"] = session["seen_at"] = clock.now().isoformat()
    session.save()
    return client


def long_ago(client: Client) -> Client:
    """The same session, its proof of identity too old for anything sensitive."""
    session: Any = client.session
    session["confirmed"] = {"at": "2000-01-01T00:00:00+00:00", "by": "code"}
    session.save()
    return client


def seconds_left_of_this_code() -> float:
    return 30 - time.time() % 30


# Applications --------------------------------------------------------------------------------


def an_application(
    at: str = Status.DRAFT, *, business: Business | None = None, **changes: Any
) -> Application:
    """An application that has walked to that status through the front door.

    `changes` are changes to the answers of a calm firm (`tests.onboarding.answered`). While it is
    submitted nobody outside has been asked yet; `a_reviewed_application` goes on from there.
    """
    business = business or a_business("Kettle & Kiosk")
    owner = owner_of(business)
    application = applications.start(business, by=owner)
    if at == Status.DRAFT:
        return application
    application = filled(application, **changes)
    if at == "answered":
        return application
    if at == Status.WITHDRAWN:
        return applications.withdraw(application, by=owner)
    application = applications.submit(application, declared=True, by=owner)
    return application if at == Status.SUBMITTED else _decided(application, at)


def a_reviewed_application(**changes: Any) -> Application:
    """An application whose checks are run and whose score is made."""
    application = an_application(Status.SUBMITTED, **changes)
    settle_reviews()
    return fresh(application)


def settle_reviews() -> None:
    """Let the workers check, score and clear; the papers that follow are not drawn."""
    waiting = Handling.objects.waiting().filter(listener="onboarding.review")
    while pks := list(waiting.order_by("pk").values_list("pk", flat=True)):
        assert all(outbox.handle(pk) for pk in pks), "A review failed; see the log."


def filled(application: Application, **changes: Any) -> Application:
    """The application with every section answered."""
    typed, owner = answered.answers(**changes), owner_of(application.business)
    for section in loading.edition(application.edition).sections:
        mine = {q.key: typed[q.key] for q in section.questions if q.key in typed}
        revision = application.revision_of(section.key)
        saving = answering.save_section(application, section.key, mine, revision=revision, by=owner)
        assert not saving.problems, saving.problems
        application = saving.application
    return application


def fresh(application: Application) -> Application:
    """The application as it is now."""
    rows = Application.objects.select_related("business", "submission", "assessment")
    return rows.get(pk=application.pk)


def _decided(application: Application, at: str) -> Application:
    if at in (Status.CLEARED, Status.EXECUTED):
        settle_reviews()
        application = fresh(application)
        executed = at == Status.EXECUTED
        return applications.mark_executed(application, by=None) if executed else application
    verb = {
        Status.RETURNED: applications.return_for_changes,
        Status.HELD: applications.hold,
        Status.DECLINED: applications.decline,
    }[Status(at)]
    reviewer = one_of_staff(Role.COMPLIANCE)
    return verb(application, note="Please look at the owners again.", by=reviewer)


# Packs ---------------------------------------------------------------------------------------

# The way of a pack, step by step; `a_pack` walks it as far as it is asked to.
WAY = (
    PackStatus.GENERATING,
    PackStatus.IN_REVIEW,
    PackStatus.READY_TO_SIGN,
    PackStatus.IN_APPROVAL,
    PackStatus.APPROVED,
    PackStatus.COUNTERSIGNING,
    PackStatus.EXECUTED,
)
APPROVERS = {
    DecisionRole.COMPLIANCE: (Role.COMPLIANCE, Role.HEAD_OF_COMPLIANCE),
    DecisionRole.COMMERCIAL: (Role.COMMERCIAL,),
    DecisionRole.LEGAL: (Role.LEGAL,),
}


def a_pack(at: str = PackStatus.IN_REVIEW, *, tier: str = "LOW", **changes: Any) -> Pack:
    """A pack of a calm firm that has walked to that status; its owner is who signs.

    Off the way: quarantined, seal_failed, returned, expired. `changes` are changes to the answers.
    """
    signatory = a_person("Mara Ellwood", email=f"mara{next(_number)}@kettle.example")
    business = a_business("Kettle & Kiosk", owner=signatory)
    changes = {"ow_signatory_email": signatory.email} | changes
    if tier == "HIGH":
        changes = answered.HIGH | changes
    application = an_application(Status.SUBMITTED, business=business, **changes)
    return walked(packs.prepare(_cleared(application), by=None), at)


def walked(pack: Pack, at: str) -> Pack:
    """The pack, taken on from where it is to that status."""
    for step in _steps(pack.status, at):
        STEPS[step](pack)
        pack = fresh_pack(pack)
    return pack


def fresh_pack(pack: Pack) -> Pack:
    """The pack as it is now."""
    rows = Pack.objects.select_related("business", "application", "revision")
    return rows.get(pk=pack.pk)


def accepted(pack: Pack, *, by: User | None = None) -> Pack:
    """The pack, every paper read and accepted by a person, or by its signatory."""
    by = by or owner_of(pack.business)
    for document in packs.documents_of(pack):
        reading.accept(document, mark=reading.served(document, by), by=by)
    return fresh_pack(pack)


def signed_set(pack: Pack) -> str:
    assert pack.revision is not None
    return pack.revision.signed_set_sha256


def _cleared(application: Application) -> Application:
    assert application.submission is not None
    runs.run_all(application.submission)
    application = reviews.go_on(application)
    if application.status == Status.SUBMITTED:
        application = applications.clear(application, by=one_of_staff(Role.COMPLIANCE))
    return fresh(application)


def _steps(here: str, at: str) -> list[str]:
    before = {
        PackStatus.QUARANTINED: PackStatus.GENERATING,
        PackStatus.EXPIRED: PackStatus.IN_REVIEW,
        PackStatus.RETURNED: PackStatus.IN_APPROVAL,
        PackStatus.SEAL_FAILED: PackStatus.COUNTERSIGNING,
    }
    last = before.get(PackStatus(at), PackStatus(at))
    way: list[str] = list(WAY[WAY.index(PackStatus(here)) + 1 : WAY.index(last) + 1])
    return way if last == at else [*way, at]


def _sign(pack: Pack) -> None:
    proof = signing.Proof(method="code", session="", consents=True)
    assert pack.revision is not None
    offer = pack.revision.offer_sha256
    signing.sign(pack, offer_sha256=offer, proof=proof, by=owner_of(pack.business))


def _approve(pack: Pack) -> None:
    for role, held in APPROVERS.items():
        for one in held[-approvals.places_left(pack, role) :]:
            by = one_of_staff(one)
            approvals.approve(pack, role, signed_set_sha256=signed_set(pack), by=by)


def _countersign(pack: Pack) -> None:
    pki.set_up()
    by = one_of_staff(Role.COUNTERSIGNATORY)
    countersigning.countersign(pack, signed_set_sha256=signed_set(pack), by=by)


def _stop(pack: Pack, at: PackStatus) -> None:
    pack.failures, pack.trouble = 3, "RenderFailed: it took longer than 60 seconds"
    with transaction.atomic():
        packs.move(pack, at, by=None)


def _expire(pack: Pack) -> None:
    Pack.objects.filter(pk=pack.pk).update(expires_at=clock.now())
    packs.expire(pack, by=None)


def _send_back(pack: Pack) -> None:
    by, role = one_of_staff(Role.LEGAL), DecisionRole.LEGAL
    note = "Name the second director."
    approvals.send_back(pack, role, signed_set_sha256=signed_set(pack), note=note, by=by)


STEPS: dict[str, Callable[[Pack], object]] = {
    PackStatus.IN_REVIEW: generating.run,
    PackStatus.READY_TO_SIGN: accepted,
    PackStatus.IN_APPROVAL: _sign,
    PackStatus.APPROVED: _approve,
    PackStatus.COUNTERSIGNING: _countersign,
    PackStatus.EXECUTED: lambda pack: executing.seal(pack),
    PackStatus.QUARANTINED: lambda pack: _stop(pack, PackStatus.QUARANTINED),
    PackStatus.SEAL_FAILED: lambda pack: _stop(pack, PackStatus.SEAL_FAILED),
    PackStatus.EXPIRED: _expire,
    PackStatus.RETURNED: _send_back,
}
