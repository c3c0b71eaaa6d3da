"""The versions page shows what is in use and proposed, and offers the permitted actions."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from agreements.document_templates.template_library import TemplateVersions
from agreements.packs.commercial_terms import PRICE_LISTS
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.audit.models import Entry
from console.publishing import differences, publications
from console.publishing.models import Publication
from onboarding.questionnaire.loading import EDITIONS
from tests import factories
from tests.publishing.changed import copied, write

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
    assert f">{SYSTEM.name}</td>" in text
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
    form = {"reason": "The regulator asked for it.", "confirmed": "on", "older": "on"}
    for missing in form:
        rest = {name: said for name, said in form.items() if name != missing}
        answer = sent(head, "put_in_use", row.public_id, **rest)
        assert (answer.status_code, Publication.objects.proposed().count()) == (422, 1), missing
    assert "is in use from now on" in sent(head, "put_in_use", row.public_id, **form).text
    entry = Entry.objects.about(row.public_id).get(code="publication.put_in_use")
    assert '"reason":"The regulator asked for it."' in entry.body

    row = Publication.objects.filter(kind="questionnaire").in_use().get()
    assert (row.version, row.proposed_by, row.put_in_use_by) == ("2026-11", one, other)


def test_the_page_shows_what_changes_against_the_version_in_use():
    files = TemplateVersions("ERC")
    row = factories.proposed(files, "1.0.0")
    head, _ = client_of(Role.HEAD_OF_LEGAL)
    page = head.get(reverse("publishing:put_in_use", args=[row.public_id])).text

    was, now = (files.load(one).files["schema.json"].decode() for one in ("1.1.0", "1.0.0"))
    removed = [line for line in was.splitlines() if '"version"' in line]
    added = [line for line in now.splitlines() if '"version"' in line]
    assert f"<del>{escape(removed[0])}</del>" in page
    assert f"<ins>{escape(added[0])}</ins>" in page
    assert "1.1.0 is in use. You are about to replace it by 1.0.0, which is older." in page


def test_a_difference_of_a_file_of_data_is_by_line_and_ends_somewhere(tmp_path, monkeypatch):
    prices = copied(PRICE_LISTS, tmp_path, monkeypatch)
    write(prices, "2027-01", like="2026-11", invoice_days=1)
    kind = factories.kind_of(prices)
    (text,) = differences.changes(kind, "2026-11", "2027-01")
    assert ("added", '  "invoice_days": 1,') in text.lines
    assert not text.has_more
    assert differences.changes(kind, "2026-11", "2026-11") == []
    monkeypatch.setattr(differences, "MOST", 2)
    (text,) = differences.changes(kind, "2026-11", "2027-01")
    assert (len(text.lines), text.has_more) == (2, True)
    (text,) = differences.changes(kind, "unknown", "2027-01")
    assert {state for state, _ in text.lines} <= {"added", "place"}


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
    publications.put_in_use(row, reason="Checked.", older=True, by=first)

    assert f"{first} has put" in sent(head, "put_in_use", row.public_id).text


@pytest.mark.parametrize("form", [{}, {"kind": "unknown", "version": "1"}, {"kind": "ruleset"}])
def test_a_form_that_names_no_version_changes_nothing(form):
    legal, _ = client_of(Role.LEGAL)

    assert "Choose one of the versions" in sent(legal, "propose", **form).text
    assert not Publication.objects.proposed().exists()


def test_whoever_may_not_propose_has_no_button():
    auditor, _ = client_of(Role.AUDITOR)

    assert reverse("publishing:propose") not in auditor.get(PAGE).text
