"""Where the `type` and the `doc` of a problem lead."""

from urllib.parse import urlsplit

import pytest
from django.urls import reverse

from api.gateway.problems import CODES


def test_the_type_of_a_problem_leads_to_its_page(api, client):
    problem = api.get("/v1/me").json

    assert problem["type"] == problem["doc"]
    page = client.get(urlsplit(problem["type"]).path)
    assert page.status_code == 200
    assert b"UNAUTHENTICATED" in page.content


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.name)
def test_every_code_has_its_page(client, code):
    page = client.get(reverse("api:problem", args=[code.slug]))

    assert code.name in page.content.decode()


def test_the_list_has_every_code(client):
    page = client.get(reverse("api:problems")).content.decode()

    assert all(name in page for name in CODES)


def test_an_unknown_code_is_not_found(client):
    assert client.get("/docs/problems/nonsense").status_code == 404
