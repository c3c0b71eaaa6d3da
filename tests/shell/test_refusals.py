"""A refusal is shown as a page, or as a message on the previous page, and never as a crash."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import reverse

from console.core.refusals import (
    AlreadyDone,
    Blocker,
    ComplianceBlocked,
    NotAllowed,
    NotReady,
    Stale,
    TooMany,
)
from console.shell.middleware import RefusalMiddleware
from tests import factories

BACK = "http://testserver/account/"


def answer(refusal, *, method="post", typed=None, **headers):
    """Return the middleware's response to a refused request without a session."""
    from django.contrib.auth.models import AnonymousUser
    from django.contrib.messages.storage.cookie import CookieStorage

    request = getattr(RequestFactory(), method)("/x/", typed, headers=headers)
    request.user = AnonymousUser()
    request.session = {}
    request.resolver_match = None
    request._messages = CookieStorage(request)
    middleware = RefusalMiddleware(lambda _: HttpResponse())
    response: Any = middleware.process_exception(request, refusal)
    response.notes = [str(note) for note in request._messages]
    return response


def test_it_goes_back_with_every_reason():
    refusal = NotReady("Not finished.", blockers=[Blocker("a", "Answer “Legal name”.")])
    response = answer(refusal, referer=BACK)

    assert (response.status_code, response.url) == (302, BACK)
    assert response.notes == ["Not finished.", "Answer “Legal name”."]
    assert response.headers["X-Refusal"] == "not_ready"


@pytest.mark.parametrize(
    "referer", ["", "https://evil.example/", "//evil.example/", "javascript:1"]
)
def test_without_a_way_back_it_is_a_page(referer):
    response = answer(NotReady("Not finished."), referer=referer)

    assert response.status_code == 409
    assert "Not finished." in response.text
    assert "evil" not in response.text


@pytest.mark.parametrize(
    ("refusal", "status", "heading"),
    [
        (NotAllowed("Not your role."), 403, "You cannot do that"),
        (Stale("Two answers changed."), 409, "Your page is out of date"),
        (TooMany("Wait.", retry_after=90), 429, "Too many attempts"),
        (ComplianceBlocked("Not there."), 403, "We cannot continue with this"),
    ],
)
def test_some_refusals_are_always_a_page(refusal, status, heading):
    response = answer(refusal, referer=BACK)

    assert response.status_code == status
    assert heading in response.text
    assert refusal.message in response.text


def test_too_many_says_how_long_to_wait():
    assert answer(TooMany("Wait.", retry_after=90)).headers["Retry-After"] == "90"


def test_an_old_page_is_one_press_from_the_new_one():
    page = answer(Stale("Two answers changed."), referer=BACK).text
    assert f'href="{BACK}"' in page
    assert "Your changes were not saved" in page


def test_after_a_confirmation_the_way_back_leads_to_the_page_above():
    resumed = "http://testserver/resume/"
    assert resumed not in answer(Stale("Two answers changed."), referer=resumed).text
    assert answer(NotReady("Not finished."), referer=resumed).url == "/"


TYPED = {
    "note": "Name the\ndirectors & why.",
    "seen": "10.0.0.1 10.0.0.2",
    "password": "four words of mine",
}


@pytest.mark.parametrize("refusal", [Stale("Changed."), NotAllowed("Not your role.")])
def test_what_was_written_can_be_copied_from_the_page(refusal):
    page = answer(refusal, typed=TYPED, referer=BACK).text
    assert "Name the<br>directors &amp; why." in page
    assert "10.0.0.2" not in page
    assert "four words" not in page


def test_what_was_done_before_is_not_called_unsaved():
    page = answer(AlreadyDone("Sent."), typed=TYPED, referer=BACK).text
    assert "directors" not in page


def test_a_part_of_a_page_is_sent_back_whole():
    response = answer(NotReady("Not finished."), referer=BACK, hx_request="true")
    assert response.headers["HX-Redirect"] == BACK


def test_other_exceptions_are_not_ours():
    assert (
        RefusalMiddleware(lambda _: HttpResponse()).process_exception(
            RequestFactory().get("/"), ValueError()
        )
        is None
    )


def test_a_person_reads_why_their_role_does_not_do(client):
    from console.accounts.roles import Role

    business = factories.a_business()
    factories.signed_in(client, factories.a_member(business, Role.VIEWER))
    response = client.get(reverse("accounts:invite", args=[business.public_id]))

    assert response.status_code == 403
    assert "owner, administrator" in response.text
