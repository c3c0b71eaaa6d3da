"""Every type of response carries the security headers, and every cookie is protected."""

from typing import Any

from django.test import Client
from django.urls import reverse

from console.shell.headers import ALWAYS
from tests import factories

STRICT = {"default-src": "'none'", "frame-ancestors": "'none'", "base-uri": "'none'"}


def policy(response) -> dict[str, str]:
    parts = response.headers["Content-Security-Policy"].split(";")
    return dict(part.strip().split(" ", 1) for part in parts if part.strip())


def answers() -> dict[str, Any]:
    """Return one response of each type."""
    stranger, insider = Client(raise_request_exception=False), Client()
    factories.signed_in(insider, factories.owner_of(factories.a_business()))
    token_less = Client(enforce_csrf_checks=True)
    return {
        "page": stranger.get("/"),
        "form": stranger.get(reverse("accounts:sign_in")),
        "insider": insider.get(reverse("accounts:security")),
        "redirect": stranger.get(reverse("accounts:security")),
        "400": stranger.get("/", headers={"host": "evil.example"}),
        "403": token_less.post(reverse("accounts:sign_in")),
        "404": stranger.get("/no/such/page/"),
        "405": stranger.post("/"),
        "json": stranger.get("/readyz"),
        "text": stranger.get("/livez"),
    }


def test_every_answer_has_every_header():
    for kind, response in answers().items():
        for name, value in ALWAYS.items():
            assert response.headers[name] == value, (kind, name)
        for directive, value in STRICT.items():
            assert policy(response)[directive] == value, (kind, directive)
        assert "unsafe" not in response.headers["Content-Security-Policy"], kind
        assert response.headers["Cache-Control"] == "no-store", kind


def test_a_file_has_them_too(client):
    response = client.get("/static/favicon.svg")
    for name, value in ALWAYS.items():
        assert response.headers[name] == value
    response.close()


def test_a_file_that_is_not_there_is_a_page_that_no_cache_keeps(client):
    factories.signed_in(client, factories.a_person("Ada Nowhere"))
    response = client.get("/static/nothing.css")
    assert response.status_code == 404
    assert response.headers["Cache-Control"] == "no-store"


def test_with_https_the_cookie_of_the_theme_is_the_hosts_alone(client, settings):
    settings.HTTPS = True
    response = client.post(reverse("shell:theme"), {"theme": "dark"})
    cookie = response.cookies["__Host-theme"]

    assert cookie["secure"]
    assert not cookie["domain"]
