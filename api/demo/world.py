"""Create the demo data once: take each business to its stage."""

from collections.abc import Callable

from django.db import transaction

from agreements.approvals import approvals, countersigning
from agreements.lifecycle import DecisionRole, PackStatus
from agreements.models import Pack
from agreements.packs import authority, packs
from agreements.sealing import self_check
from agreements.signing import reading, signature
from api.demo import checkout, company, going_live, webhooks
from api.demo import people as cast
from api.demo.businesses import (
    ANSWERING,
    APPROVING,
    BUSINESSES,
    IN_REVIEW,
    LIVE,
    NOT_STARTED,
    PARTLY_SIGNED,
    READING,
    DemoBusiness,
)
from api.demo.people import WORLD, DemoPerson
from api.demo.worked_examples import RESTRICTED_LATER
from api.payments import orders
from api.payments.models import Order
from apikeys.allowlist import allowlist
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from console.accounts import access, businesses, members, signup, staff
from console.accounts.act_proofs import Proof
from console.accounts.actors import SYSTEM
from console.accounts.models import Authenticator, Business, Invitation, Membership, User
from console.accounts.models.factor import PURPOSE
from console.accounts.roles import Role
from console.audit import history
from console.audit import log as audit
from console.core import clock, vault
from console.events import outbox
from console.publishing import publications
from console.publishing.models import Publication
from onboarding.information.models import InformationRequest
from onboarding.intake import answers as answering
from onboarding.intake import applications, information_replies
from onboarding.intake.merging import OpenPage
from onboarding.lifecycle import WRITABLE, ApplicationStatus
from onboarding.models import Application
from onboarding.questionnaire import loading
from onboarding.restrictions import list_versions
from onboarding.review import information_requests
from onboarding.review.information_requests import Asked

Say = Callable[[str], None]
HALF = 5
_NO_CHECKS = "We have no business there, and checks of its companies cannot be completed."
_STAND_IN = Proof("stand_in", "")


def load(say: Say) -> None:
    """Create all people and businesses, in order, unless the demo data is complete.

    Safe to interrupt and run again: existing data is used. Once the demo data is complete, it is
    never changed again, whatever people do with it.
    """
    if made():
        return
    for person in cast.STAFF:
        _join_staff(person)
    legal, head = _staff_member(Role.LEGAL), _staff_member(Role.HEAD_OF_LEGAL)
    company.put_in_use(proposer=legal, publisher=head)
    ids = {}
    for demo in BUSINESSES:
        say(f"{demo.name}: {demo.stage.replace('_', ' ')}")
        business = _found(demo)
        _walk(demo, business)
        _manage(business)
        ids[demo.key] = business.public_id
    _propose_a_restriction()
    with transaction.atomic():
        audit.record("demo.made", WORLD, by=SYSTEM, businesses=ids)


def made() -> dict[str, str]:
    """Return the ids of the demo businesses by key, or nothing until the data is complete."""
    entries = history.fitting(history.HistoryQuery(code="demo.made"))[:1]
    ids: dict[str, str] = {}
    for line in history.lines(entries):
        ids = line.body["details"]["businesses"]
    return ids


def person_of(person: DemoPerson) -> User:
    """Return the person, creating them with password and authenticator if missing."""
    known = User.objects.filter(email=person.email).first()
    return known or _make(person)


@transaction.atomic
def _make(person: DemoPerson) -> User:
    made = User.objects.create_user(person.email, name=person.name, password=cast.PASSWORD)
    made.email_confirmed_at = clock.now()
    made.save(update_fields=["email_confirmed_at"])
    sealed = vault.seal(person.seed, PURPOSE)
    Authenticator.objects.create(user=made, name="Demo", confirmed=True, sealed_seed=sealed)
    audit.record("person.set_up_authenticator", made, by=SYSTEM)
    return made


def _join_staff(person: DemoPerson) -> None:
    for role in person.roles:
        staff.give_role(person_of(person), role, by=SYSTEM)


def _found(demo: DemoBusiness) -> Business:
    """Return the business with its people, creating what is missing.

    The signatory is not included: they join with the invitation from the application.
    """
    people = _people_of(demo)
    owner = person_of(people[0])
    business = Business.objects.of(owner).filter(name=demo.name).first()
    business = business or businesses.register(demo.name, by=owner)
    for person in people[1:]:
        for role in set(person.roles) - {Role.SIGNATORY}:
            _join(business, person_of(person), role)
    return business


@transaction.atomic
def _join(business: Business, person: User, role: Role) -> None:
    held, is_new = Membership.objects.get_or_create(user=person, business=business, role=role)
    if is_new:
        audit.record("member.joined", held, by=SYSTEM, after={"role": role})


def _walk(demo: DemoBusiness, business: Business) -> None:
    if demo.stage == NOT_STARTED:
        return
    application = _answer(demo, business)
    if demo.stage == ANSWERING:
        return
    if application.status in WRITABLE:
        application = applications.submit(application, declared=True, by=_owner(business))
    _ask_first(demo, application)
    if demo.answers["co_rows"][-1]["from"] == RESTRICTED_LATER:
        _restrict()
    outbox.settle()
    if demo.stage == IN_REVIEW:
        _ask_about_exposure(Application.objects.get(pk=application.pk))
        return
    _let_in_the_signatories(demo, business)
    if demo.stage == READING:
        return
    _sign(demo, business)
    if demo.stage in (PARTLY_SIGNED, APPROVING):
        return
    _execute(business)
    _open_api(demo, business)


def _ask_first(demo: DemoBusiness, application: Application) -> None:
    """Ask what keeps the application in review, before anything clears it."""
    is_asked = InformationRequest.objects.of(application).exists()
    if demo.asked and application.status == ApplicationStatus.SUBMITTED and not is_asked:
        question = Asked("explain", demo.asked, "bm_summary")
        information_requests.ask(application, asked=[question], by=_staff_member(Role.COMPLIANCE))


def _restrict() -> None:
    """Put a restriction in use that the worked example states, unless it is."""
    entry = {"code": RESTRICTED_LATER, "name": "Myanmar", "scopes": "all",
             "basis": "Our own risk appetite", "from": f"{clock.now():%Y-%m-%d}"}  # fmt: skip
    if RESTRICTED_LATER in (one.code for one in list_versions.in_force().entries):
        return
    proposal = list_versions.propose(entry, reason=_NO_CHECKS, by=_staff_member(Role.COMPLIANCE))
    publications.put_in_use(proposal, by=_staff_member(Role.HEAD_OF_COMPLIANCE))


def _ask_about_exposure(application: Application) -> None:
    """Ask about a politically exposed person, and answer as the business."""
    assert application.submission is not None
    waits = application.status == ApplicationStatus.SUBMITTED
    is_asked = InformationRequest.objects.of(application).exists()
    if not (waits and application.submission.answers["ri_pep"]) or is_asked:
        return
    question = Asked("explain", "What is the money of the business made of?", "ri_pep_people")
    information_requests.ask(application, asked=[question], by=_staff_member(Role.COMPLIANCE))
    asked = InformationRequest.objects.of(application)[0]
    owner = _owner(application.business)
    for item in asked.items.all():
        reply = "A loan of my bank, GBP 40,000, and what I earned as a teacher."
        information_replies.reply(item, text=reply, by=owner)
    information_replies.send(asked, by=owner)
    outbox.settle()


def _manage(business: Business) -> None:
    """Make the first account manager look after the business."""
    manager = _staff_member(Role.ACCOUNT_MANAGER)
    if business.account_manager is None:
        businesses.set_account_manager(business, person=manager, seen="", by=manager)


def _propose_a_restriction() -> None:
    """Propose a change of the restricted list, which the head of compliance decides."""
    if Publication.objects.proposed().filter(kind=list_versions.KIND.name).exists():
        return
    entry = {"code": "BY", "name": "Belarus", "scopes": "all", "basis": "Our own risk appetite",
             "from": "2027-01-01"}  # fmt: skip
    list_versions.propose(entry, reason=_NO_CHECKS, by=_staff_member(Role.COMPLIANCE))


def _let_in_the_signatories(demo: DemoBusiness, business: Business) -> None:
    """Accept the invitations as the signatories whom the answers name."""
    for invitation in Invitation.objects.open().filter(business=business).exclude(name=""):
        signatory = next(one for one in _people_of(demo) if one.email == invitation.email)
        members.accept(members.invitation_token(invitation), by=person_of(signatory))


def _answer(demo: DemoBusiness, business: Business) -> Application:
    application = Application.objects.of(business).first()
    if application is None:
        application = applications.start(business, by=_owner(business))
    if application.status not in WRITABLE:
        return application
    sections = loading.EDITIONS.load(application.edition).sections
    for section in sections[:HALF] if demo.stage == ANSWERING else sections:
        typed = {q.key: demo.answers[q.key] for q in section.questions if q.key in demo.answers}
        revision = Application.objects.get(pk=application.pk).revision_of(section.key)
        answering.save_section(
            application, section.key, typed, page=OpenPage(revision), by=_owner(business)
        )
    return Application.objects.get(pk=application.pk)


def _sign(demo: DemoBusiness, business: Business) -> None:
    pack = _pack(business)
    if pack.status not in (PackStatus.IN_REVIEW, PackStatus.READY_TO_SIGN):
        return
    assert pack.revision is not None
    people = authority.signatories(pack.revision)
    for one in people[:1] if demo.stage == PARTLY_SIGNED else people:
        signatory = User.objects.get(email=one.email)
        for document in packs.documents_of(pack):
            reading.accept(document, mark=reading.served(document, signatory), by=signatory)
        offer = pack.revision.offer_sha256
        signature.sign(pack, offer_sha256=offer, proof=_STAND_IN, by=signatory)
    outbox.settle()


def _execute(business: Business) -> None:
    for role, staff_role in (
        (DecisionRole.COMPLIANCE, Role.COMPLIANCE),
        (DecisionRole.COMMERCIAL, Role.COMMERCIAL),
        (DecisionRole.LEGAL, Role.LEGAL),
    ):
        pack = _pack(business)
        if pack.status == PackStatus.IN_APPROVAL and approvals.places_left(pack, role) > 0:
            by = _staff_member(staff_role)
            approvals.approve(
                pack, role, signed_set_sha256=_signed_set(pack), proof=_STAND_IN, by=by
            )
    pack = _pack(business)
    if pack.status == PackStatus.APPROVED:
        by = _staff_member(Role.COUNTERSIGNATORY)
        self_check.refresh()
        countersigning.countersign(
            pack, signed_set_sha256=_signed_set(pack), proof=_STAND_IN, by=by
        )
    outbox.settle()


def _open_api(demo: DemoBusiness, business: Business) -> None:
    """Issue the sandbox key, and take the business to live or to the step before it."""
    grant = Grant.objects.filter(business=business, environment=Environment.SANDBOX).first()
    if grant is None:
        return
    is_live = demo.stage == LIVE
    people = going_live.GoLivePeople(
        owner=_owner(business),
        developer=_developer(demo),
        manager=_staff_member(Role.ACCOUNT_MANAGER),
        head=_staff_member(Role.HEAD_OF_COMPLIANCE),
    )
    if is_live:
        webhooks.load(business, by=people.developer)
        _leave_open(grant, by=people.owner)
    kept_as = "sandbox" if is_live else f"sandbox_{demo.key}"
    key = going_live.issue_key(grant, kept_as, by=people.developer)
    if not going_live.is_possible():
        return
    going_live.meet_conditions(business, key, people, verified=is_live)
    if is_live:
        going_live.go_live(business, people)


@transaction.atomic
def _leave_open(grant: Grant, *, by: User) -> None:
    """Leave open a network request, an invitation, an unconfirmed e-mail address and payments."""
    if grant.network_requests.exists():
        return
    allowlist.ask(grant, "10.0.0.0/8", reason="Our kiosks call from all of this network.", by=by)
    members.invite(grant.business, email="nia@kettle.example", role=Role.VIEWER, by=by)
    signup.sign_up(email="gwen@kettle.example", name="Gwen Vaughan", password=cast.PASSWORD)
    customer = {"first_name": "Dilys", "email": "dilys@kiosk.example"}
    order = Order(
        business=grant.business, environment=Environment.SANDBOX, reference="INV-2026-090",
        description="Two espresso grinders", amount=48_000, currency="GBP", customer=customer,
    )  # fmt: skip
    orders.create(order, by=by)
    checkout.load(grant.business, by=by)


def _developer(demo: DemoBusiness) -> User:
    return person_of(next(one for one in _people_of(demo) if Role.DEVELOPER in one.roles))


def _people_of(demo: DemoBusiness) -> list[DemoPerson]:
    return [one for one in cast.BUSINESS_PEOPLE if one.business == demo.key]


def _pack(business: Business) -> Pack:
    rows = Pack.objects.select_related("business", "application", "revision")
    return rows.filter(business=business).order_by("-pk")[0]


def _signed_set(pack: Pack) -> str:
    assert pack.revision is not None
    return pack.revision.signed_set_sha256


def _owner(business: Business) -> User:
    rows = Membership.objects.select_related("user").filter(business=business, role=Role.OWNER)
    return rows.order_by("pk")[0].user


def _staff_member(role: Role) -> User:
    person = next(one for one in cast.STAFF if role in one.roles)
    found = person_of(person)
    assert access.is_staff(found)
    return found
