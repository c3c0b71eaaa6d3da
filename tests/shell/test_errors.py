"""Error pages say what to do and reveal nothing internal."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse

from console.accounts import members
from console.audit.models import CountedAttempt
from console.shell.views import errors
from tests import factories


def test_a_bug_says_it_is_ours_and_gives_a_number(client, monkeypatch):
    def bug(*_):
        raise RuntimeError("a secret of ours")

    client.raise_request_exception = False
    monkeypatch.setattr(members, "find_invitation", bug)
    response = client.get("/invitation/some-token/")

    assert response.status_code == 500
    page = response.text
    assert "Something broke on our side" in page
    assert response.headers["X-Request-Id"] in page
    assert "secret" not in page


def test_a_bugs_page_needs_no_database(rf):
    request = rf.get("/")
    before = len(connection.queries_log)
    response = errors.broken(request)

    assert response.status_code == 500
    assert len(connection.queries_log) == before


def test_every_page_names_the_support_address(client, rf, settings):
    settings.SUPPORT_EMAIL = "help@console.example"
    pages = [client.get("/"), client.get("/no/such/page/"), errors.broken(rf.get("/"))]
    pages.append(client.get("/", headers={"host": "evil.example"}))
    signed_in = factories.signed_in(client, factories.a_person())
    pages.append(signed_in.get(reverse("accounts:security")))

    assert all(b'href="mailto:help@console.example"' in page.content for page in pages)


def test_a_form_from_elsewhere_changes_nothing():
    stranger = Client(enforce_csrf_checks=True)
    response = stranger.post(reverse("accounts:sign_in"), {"email": "a@b.example"})

    assert response.status_code == 403
    assert "Please send that again" in response.text


def test_a_nul_byte_in_an_address_leads_nowhere(client):
    answer = client.get("/%00")
    assert answer.status_code == 404
    assert "Page not found" in answer.text


@pytest.mark.parametrize("length", [str(10**10), "9" * 400, "0" * 20 + str(10**10), "many"])
def test_a_body_that_no_page_takes_is_refused_unread(client, length):
    answer = client.post(reverse("agreements:verify"), CONTENT_LENGTH=length)
    assert answer.status_code == 400


@pytest.mark.parametrize("page", ["accounts:sign_in", "apikeys:report_exposed"])
def test_a_body_in_chunks_is_refused_and_not_taken_for_empty(client, page):
    answer = client.post(reverse(page), headers={"Transfer-Encoding": "chunked"})
    assert answer.status_code == 400


def test_only_the_page_of_files_takes_more_than_a_form(client, settings):
    more = str(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    assert client.post(reverse("accounts:sign_in"), CONTENT_LENGTH=more).status_code == 400
    assert client.post("/no/such/page/", CONTENT_LENGTH=more).status_code == 404
    file = SimpleUploadedFile("a.pdf", bytes(settings.DATA_UPLOAD_MAX_MEMORY_SIZE))
    assert client.post(reverse("agreements:verify"), {"file": file}).status_code == 200


@pytest.mark.parametrize("odd", ["%E2%80%8F", "%01", "e%CC%81", "x" * 300])
def test_an_odd_address_is_refused_like_any_other_and_counted(odd):
    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    assert strict.post(f"/b/{odd}/name/").status_code == 403
    assert CountedAttempt.objects.get(page="accounts:business_rename").status == 403
