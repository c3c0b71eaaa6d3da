"""The versions page shows what is in use and proposed, and offers the permitted actions."""

import pytest
from django.test import Client
from django.urls import reverse

from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.publishing import publications
from console.publishing.models import Publication
from onboarding.questionnaire.loading import EDITIONS
from tests import factories

PAGE = reverse("publishing:versions")


def client_of(role):
    person = factories.one_of_staff(role)
    return factories.signed_in(Client(), person), person


def sent(client, name, *of, **form):
    return client.post(reverse(f"publishing:{name}", args=of), form, follow=True)


def test_it_shows_what_is_in_use_by_whom_and_its_hash():
    client, _ = client_of(Role.AUDITOR)
    row = Publication.objects.get(kind=EDITIONS.key)

    text = client.get(PAGE).text

    assert row.version in text
    assert row.sha256[:8] in text
    assert f"<td>{SYSTEM.name}</td>" in text
    assert "Template MSA" in text


def test_the_page_takes_a_fixed_number_of_queries(django_assert_max_num_queries):
    client, _ = client_of(Role.AUDITOR)
    client.get(PAGE)

    with django_assert_max_num_queries(16):
        client.get(PAGE)


def test_two_people_put_a_version_in_use():
    compliance, one = client_of(Role.COMPLIANCE)
    head, other = client_of(Role.HEAD_OF_COMPLIANCE)

    said = sent(compliance, "propose", kind="questionnaire", version="2026-11").text
    assert "Questionnaire 2026-11 is proposed" in said
    row = Publication.objects.proposed().get()
    assert reverse("publishing:put_in_use", args=[row.public_id]) not in said
    page = head.get(PAGE).text
    assert reverse("publishing:put_in_use", args=[row.public_id]) in page
    assert reverse("publishing:withdraw", args=[row.public_id]) not in page
    confirmation = reverse("publishing:put_in_use", args=[row.public_id])
    assert 'name="older"' in head.get(confirmation).text
    assert "is older than" in sent(head, "put_in_use", row.public_id).text
    assert "is in use from now on" in sent(head, "put_in_use", row.public_id, older="on").text

    row = Publication.objects.filter(kind="questionnaire").in_use().get()
    assert (row.version, row.proposed_by, row.put_in_use_by) == ("2026-11", one, other)


def test_a_proposal_is_withdrawn():
    row = factories.proposed(EDITIONS, "2026-11")
    compliance, _ = client_of(Role.COMPLIANCE)

    assert "is withdrawn" in sent(compliance, "withdraw", row.public_id).text
    assert not Publication.objects.proposed().exists()


def test_nothing_else_can_be_proposed_beside_a_proposal():
    factories.proposed(EDITIONS, "2026-11")
    compliance, _ = client_of(Role.COMPLIANCE)

    assert f'name="kind" value="{EDITIONS.key}"' not in compliance.get(PAGE).text


def test_the_second_press_is_told_how_things_stand():
    row = factories.proposed(EDITIONS, "2026-11")
    first = factories.one_of_staff(Role.HEAD_OF_COMPLIANCE)
    head, _ = client_of(Role.HEAD_OF_COMPLIANCE)
    publications.put_in_use(row, older=True, by=first)

    assert f"{first} has put" in sent(head, "put_in_use", row.public_id).text


@pytest.mark.parametrize("form", [{}, {"kind": "unknown", "version": "1"}, {"kind": "ruleset"}])
def test_a_form_that_names_no_version_changes_nothing(form):
    legal, _ = client_of(Role.LEGAL)

    assert "Choose one of the versions" in sent(legal, "propose", **form).text
    assert not Publication.objects.proposed().exists()


def test_whoever_may_not_propose_has_no_button():
    auditor, _ = client_of(Role.AUDITOR)

    assert reverse("publishing:propose") not in auditor.get(PAGE).text
