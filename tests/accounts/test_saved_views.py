"""Saved views: filters of a list, which one person names, uses, renames and deletes."""

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from console.accounts import saved_views
from console.accounts.models import SavedView
from console.accounts.roles import Role
from tests import factories

SAVE, VIEWS, QUEUE = "accounts:save_view", "accounts:views", "onboarding:review_queue"
LISTS = {
    "queue": (QUEUE, "tier=high"),
    "packs": ("agreements:packs", "stage=all"),
    "businesses": ("apikeys:businesses", "manager=none"),
    "audit": ("governance:log", "q=Kettle"),
}


@pytest.fixture
def person():
    return factories.one_of_staff(Role.COMPLIANCE)


@pytest.fixture
def client(person):
    return factories.signed_in(Client(), person)


def save(client, name="High risk", module="queue", query="tier=high"):
    return client.post(reverse(SAVE), {"module": module, "name": name, "query": query})


@pytest.mark.parametrize("module", LISTS)
def test_a_view_is_a_link_above_its_list(client, module):
    route, query = LISTS[module]
    plain, filtered = reverse(route), f"{reverse(route)}?{query}"
    assert "Save this view" not in client.get(plain).text
    assert "Save this view" in client.get(filtered).text

    answer = save(client, "Mine & <b>", module, f"after=x&{query}&empty=")
    assert answer.url == filtered
    page = client.get(plain).text
    assert f'href="?{query}"' in page
    assert "Mine &amp; &lt;b&gt;" in page
    page = client.get(filtered).text
    assert f'href="?{query}" aria-current="page"' in page
    assert "Save this view" not in page


def test_a_view_is_of_one_person_alone(client, person):
    save(client)
    view = SavedView.objects.get(person=person)
    other = factories.signed_in(Client(), factories.one_of_staff(Role.COMPLIANCE))
    assert "High risk" not in other.get(reverse(QUEUE)).text
    assert "High risk" not in other.get(reverse(VIEWS)).text
    change = reverse("accounts:change_view", args=[view.public_id])
    for sent in ({"name": "Theirs"}, {"delete": "yes"}):
        assert other.post(change, sent).status_code == 404
    assert SavedView.objects.get() == view


def test_a_view_is_replaced_renamed_and_deleted(client):
    save(client)
    save(client, query="owner=me")
    (view,) = SavedView.objects.all()
    assert view.query == "owner=me"

    save(client, "Second")
    change = reverse("accounts:change_view", args=[view.public_id])
    assert client.post(change, {"name": "Second"}).status_code == 422
    assert client.post(change, {"name": " "}).status_code == 422
    assert client.post(change, {"name": "My cases"}).url == reverse(VIEWS)
    page = client.get(reverse(VIEWS)).text
    assert "My cases" in page
    assert f"{reverse(QUEUE)}?owner=me" in page
    client.post(change, {"delete": "yes", "name": ""})
    assert [one.name for one in SavedView.objects.all()] == ["Second"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"module": "unknown"},
        {"module": "x" * 40},
        {"query": ""},
        {"query": "after=1"},
        {"query": "q=" + "x" * 900},
        {"query": "q=" + "x" * 2000},
        {"query": "q=\x00"},
        {"name": ""},
        {"name": "x" * 61},
        {"name": "\x00"},
    ],
)
def test_what_cannot_be_saved_is_refused(client, wrong):
    assert save(client, **wrong).status_code == 422
    assert not SavedView.objects.exists()


def test_a_list_has_a_limit_of_views(client, monkeypatch):
    monkeypatch.setattr(saved_views, "MOST", 2)
    for name in ("One", "Two"):
        assert save(client, name).status_code == 302
    assert save(client, "Three").status_code == 422
    assert save(client, "One", query="owner=me").status_code == 302
    assert SavedView.objects.count() == 2


def test_a_query_has_one_form():
    sent = QueryDict("tier=high&q=&stage=all&after=9&as=csv&q=%C3%A9")
    assert saved_views.cleaned(sent) == "q=%C3%A9&stage=all&tier=high"


def test_members_of_businesses_have_no_views():
    member = factories.owner_of(factories.a_business())
    client = factories.signed_in(Client(), member)
    assert client.get(reverse(VIEWS)).status_code == 404
    assert save(client).status_code == 404
