"""One person with two accounts counts once, by their mailboxes, in every rule of four eyes."""

import pytest
from django.db import connection

from console.accounts import access, email_changes, members
from console.accounts.mailboxes import as_shown, mailbox
from console.accounts.models import User
from console.accounts.roles import Role
from console.catalogue import products
from console.core import clock
from console.core.refusals import NotAllowed
from console.publishing import publications
from onboarding import case_acts
from onboarding.lifecycle import ActKind, ApplicationStatus, Capacity
from onboarding.models import Reviewer
from onboarding.questionnaire.loading import EDITIONS
from onboarding.review import decisions
from tests import factories
from tests.databases import refused_by
from tests.four_eyes.raw_statements import like
from tests.four_eyes.trials import MEMBER
from tests.onboarding import answered

# Two addresses of one mailbox each.
SPELLINGS = [
    ("ada@example.com", "ada+two@example.com"),
    ("ada.l@gmail.com", "a.d.a.l+kyc@googlemail.com"),
    ("ada@bücher.example", "ada+x@xn--bcher-kva.example"),
    ("ada@straße.example", "ada+x@strasse.example"),
    ("ada@example.com", "ADA@Example.com"),
]
OTHERS = [
    ("ada@example.com", "ada@example.org"),
    ("ada.l@example.com", "adal@example.com"),
    ("+x@example.com", "+y@example.com"),
]
PLAIN, TAGGED = SPELLINGS[0]
ACTED = (
    "INSERT INTO onboarding_reviewer (application_id, person_id, capacity, since) "
    "VALUES (%s, %s, 'compliance', now())"
)


def of_staff(email, *roles):
    person = factories.one_of_staff(*(roles or [Role.COMPLIANCE]))
    return moved(person, email)


def moved(person, email):
    """Change a person's address, as they do it."""
    email_changes.ask(person, email, by=person)
    token = email_changes.confirmation_token(person.email_changes.get(confirmed_at=None))
    email_changes.confirm(token, by=person, keep_session="")
    return User.objects.get(pk=person.pk)


def in_review(**answers):
    return factories.an_application(ApplicationStatus.SUBMITTED, **{**answered.HIGH, **answers})


def refuses(application, person, match=None):
    """Both the verb and the database refuse what this person decides on the case."""
    with pytest.raises(NotAllowed, match=match):
        decisions.hold(application, note="Wait.", by=person)
    rule = refused_by(ACTED, application.pk, person.pk)
    assert rule == "a_reviewer_reviews_with_one_account"


@pytest.mark.parametrize(("email", "other"), [*SPELLINGS, *OTHERS])
def test_the_database_reads_an_address_as_python_does(email, other):
    stored = [as_shown(one) for one in (email, other)]
    with connection.cursor() as cursor:
        cursor.execute("SELECT accounts_mailbox(%s) = accounts_mailbox(%s)", stored)
        (same,) = cursor.fetchone()
    assert same == (mailbox(email) == mailbox(other)) == ((email, other) in SPELLINGS)


@pytest.mark.parametrize(("email", "other"), SPELLINGS[:-1])
def test_who_takes_part_with_one_account_does_not_review_with_another(email, other):
    business = factories.a_business(owner=factories.a_person(email=as_shown(email)))
    application = in_review(business=business)
    refuses(application, of_staff(as_shown(other)), "another account with your e-mail address")


def test_former_addresses_of_both_count():
    business = factories.a_business(owner=factories.a_person(email=PLAIN))
    application, reviewer = in_review(business=business), of_staff(TAGGED)
    moved(factories.owner_of(business), "owner@elsewhere.example")
    refuses(application, moved(reviewer, "reviewer@elsewhere.example"))


@pytest.mark.parametrize(
    "question", ["ow_signatory_email", "li_contact_email", "pr_tech_email", "dh_privacy_email"]
)
def test_whom_the_answers_name_reviews_with_no_account(question):
    application = in_review(**{question: PLAIN})
    assert PLAIN in str(application.submission.answers)
    refuses(application, of_staff(TAGGED), "answers name your e-mail address")


def test_two_accounts_of_one_person_do_not_decide_on_one_case():
    application = in_review()
    first, second = of_staff(PLAIN), of_staff(TAGGED, Role.LEGAL, Role.COMPLIANCE)
    decisions.hold(application, note="Wait.", by=first)
    with pytest.raises(NotAllowed, match="with another account"):
        decisions.release(application, note="Go on.", by=second)
    for capacity, kind in ((Capacity.LEGAL, ActKind.APPROVE), (Capacity.COMPLIANCE, ActKind.CLEAR)):
        with pytest.raises(NotAllowed, match="with another account"):
            case_acts.record(application, kind, capacity=capacity, by=second)
    refuses(application, second)
    decisions.release(application, note="Go on.", by=first)


def test_an_act_is_refused_once_two_reviewers_turn_out_to_be_one_person():
    application, first, second = in_review(), of_staff(PLAIN), of_staff("other@example.com")
    decisions.hold(application, note="Wait.", by=first)
    decisions.release(application, note="Go on.", by=second)
    second = moved(second, TAGGED)
    with pytest.raises(NotAllowed, match="with another account"):
        decisions.hold(application, note="Wait.", by=second)
    act = Reviewer.objects.get(person=second).acts.get()
    again, values = like(act, kind="hold")
    assert refused_by(again, *values) == "an_act_is_by_one_account"


def test_who_reviewed_does_not_join_with_another_account():
    application, reviewer = in_review(), of_staff(PLAIN)
    decisions.hold(application, note="Wait.", by=reviewer)
    business, twin = application.business, factories.a_person(email=TAGGED)
    owner = factories.owner_of(business)
    invitation = members.invite(business, email=TAGGED, role=Role.VIEWER, by=owner)
    with pytest.raises(NotAllowed, match="You reviewed an application"):
        members.accept(members.invitation_token(invitation), by=twin)
    assert refused_by(MEMBER, twin.pk, business.pk) == "a_participant_never_reviewed"


def test_who_proposed_a_version_does_not_put_it_in_use_with_another_account():
    row = factories.proposed(EDITIONS, "2026-11", by=of_staff(PLAIN))
    twin = of_staff(TAGGED, Role.HEAD_OF_COMPLIANCE)
    with pytest.raises(NotAllowed, match="somebody else must"):
        publications.put_in_use(row, reason="Checked.", by=twin)
    used = "UPDATE publishing_publication SET put_in_use_by_id = %s, in_use_from = %s WHERE id = %s"
    rule = refused_by(used, twin.pk, clock.now(), row.pk)
    assert rule == "two_mailboxes_put_a_version_in_use"


def test_nobody_decides_about_products_of_their_other_accounts_business():
    business = factories.a_business(owner=factories.a_person(email=PLAIN))
    twin = of_staff(TAGGED, Role.COMMERCIAL)
    with pytest.raises(NotAllowed, match="another account with your e-mail address"):
        access.require_outsider(twin, business)
    with pytest.raises(NotAllowed):
        products.withdraw(business, "customers", reason="No.", by=twin)
    products.request(business, ["customers"], by=factories.owner_of(business))
    approved = (
        "UPDATE catalogue_businessproduct SET status = 'approved', by_id = %s "
        "WHERE business_id = %s AND product = 'customers'"
    )
    assert refused_by(approved, twin.pk, business.pk) == "a_product_is_decided_by_an_outsider"
