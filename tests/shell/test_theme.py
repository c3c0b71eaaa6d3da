"""The chosen theme, light or dark, is remembered; any other value is ignored."""

import pytest
from django.urls import reverse


def test_a_choice_stays(client):
    response = client.post(
        reverse("shell:theme"), {"theme": "dark"}, headers={"referer": "http://testserver/sign-in/"}
    )

    assert response.url == "http://testserver/sign-in/"
    assert 'data-theme="dark"' in client.get("/sign-in/").text


@pytest.mark.parametrize("wanted", ["", "pink", '"><script>'])
def test_there_are_two(client, wanted):
    response = client.post(reverse("shell:theme"), {"theme": wanted})

    assert response.url == "/"
    assert "theme" not in response.cookies


def test_a_forged_cookie_is_no_choice(client):
    client.cookies["theme"] = 'x" onload="y'
    assert "onload" not in client.get("/").text
