"""Several rows of a list at once: each with its own entry, and one answer for all."""

import pytest
from django.test import Client
from django.urls import reverse

from console.accounts import businesses
from console.accounts.models import Business
from console.accounts.roles import Role
from console.audit.models import Entry
from console.events.models import EventDelivery
from console.shell import several
from onboarding.models import Application
from onboarding.review import casework
from tests import factories
from tests.onboarding import answered


def in_browser(role):
    person = factories.one_of_staff(role)
    return person, factories.signed_in(Client(), person)


def answer(client, route, rows, person=None):
    sent = {"row": rows, "person": person.public_id if person else ""}
    return client.post(f"{reverse(route)}?stage=all", sent, follow=True)


@pytest.fixture
def cases():
    return [factories.a_reviewed_application(**answered.HIGH) for _ in range(3)]


def test_cases_are_assigned_and_what_is_not_says_why(cases):
    me, client = in_browser(Role.COMPLIANCE)
    other, _client = in_browser(Role.COMPLIANCE)
    page = client.get(reverse("onboarding:review_queue")).text
    rows = [f"{case.public_id} " for case in cases]
    assert all(f'value="{row}"' in page for row in rows)

    casework.assign(cases[1], other, by=other)
    before = Entry.objects.filter(code="application.assigned").count()
    page = answer(client, "onboarding:assign_several", [*rows, "app_unknown "], me)

    assert page.redirect_chain == [(f"{reverse('onboarding:review_queue')}?stage=all", 302)]
    owners = [Application.objects.get(pk=case.pk).case_owner for case in cases]
    assert owners == [me, other, me]
    assert Entry.objects.filter(code="application.assigned").count() == before + 2
    assert "Done for 2: " in page.text
    assert "Not done for 2. " in page.text
    assert f"{cases[1].business.name}: Somebody assigned this case" in page.text.replace(
        "&amp;", "&"
    )
    assert "1 is no longer there." in page.text


def test_a_case_is_not_assigned_to_somebody_who_belongs_to_the_business(cases):
    _me, client = in_browser(Role.COMPLIANCE)
    theirs = factories.owner_of(cases[0].business)
    row = f"{cases[0].public_id} "
    page = answer(client, "onboarding:assign_several", [row], theirs)
    assert "choose one of our reviewers" in page.text
    assert Application.objects.get(pk=cases[0].pk).case_owner is None


def test_businesses_get_an_account_manager_together():
    me, client = in_browser(Role.ACCOUNT_MANAGER)
    other, _client = in_browser(Role.ACCOUNT_MANAGER)
    found = [factories.a_business(f"Number {number} Limited") for number in range(3)]
    businesses.set_account_manager(found[2], other, by=other)
    page = client.get(reverse("apikeys:businesses")).text
    rows = [f"{found[0].public_id} ", f"{found[1].public_id} ", f"{found[2].public_id} "]
    assert f'value="{rows[0]}"' in page
    assert f'value="{rows[2]}{other.public_id}"' in page

    page = answer(client, "apikeys:set_several_managers", rows, me).text
    managers = [Business.objects.get(pk=one.pk).account_manager for one in found]
    assert managers == [me, me, other]
    assert "Done for 2: Number 0 Limited, Number 1 Limited." in page
    assert "Number 2 Limited: Somebody changed the account manager" in page
    entries = Entry.objects.filter(code="business.account_manager_set")
    assert entries.filter(actor_id=me.public_id).count() == 2


def test_work_is_retried_together():
    _person, client = in_browser(Role.OPERATOR)
    factories.a_business()
    work = list(EventDelivery.objects.waiting()[:2])
    assert f'value="{work[0].pk}"' in client.get(reverse("governance:work")).text
    rows = [*(str(one.pk) for one in work), "9" * 40, "x", "\x00"]
    page = answer(client, "governance:try_again", rows).text
    assert "Done for 2: " in page
    assert "3 are no longer there." in page
    assert Entry.objects.filter(code="work.tried_again").count() == 2


@pytest.mark.parametrize(
    ("route", "role"),
    [
        ("onboarding:assign_several", Role.COMPLIANCE),
        ("apikeys:set_several_managers", Role.ACCOUNT_MANAGER),
        ("governance:try_again", Role.OPERATOR),
    ],
)
def test_nothing_or_nonsense_changes_nothing(route, role):
    me, client = in_browser(role)
    assert "choose at least one row" in answer(client, route, [], me).text
    page = answer(client, route, ["\x00 \x00", "x" * 5000, ""], me)
    assert page.status_code == 200
    assert "are no longer there" in page.text
    assert answer(client, route, ["x"] * (several.MOST + 5), me).status_code == 200


@pytest.mark.parametrize("role", [Role.AUDITOR, Role.COMMERCIAL])
def test_who_may_not_change_rows_cannot_choose_them(role, cases):
    _person, client = in_browser(role)
    for route in ("onboarding:review_queue", "apikeys:businesses", "governance:work"):
        page = client.get(reverse(route))
        assert 'name="row"' not in page.text
    for route in ("onboarding:assign_several", "apikeys:set_several_managers"):
        assert client.post(reverse(route), {"row": "x"}).status_code == 403
