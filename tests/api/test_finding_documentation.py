"""Navigation of the documentation: its order, search and downloads."""

import json
import re
from typing import Any

import pytest
from django.urls import reverse

from api.reference import documentation_search, postman
from api.v1.router import OPERATIONS
from tests.api.asking import a_client
from tests.api.calling import Caller


def page(client, name: str, **query: str) -> str:
    answer = client.get(reverse(f"api:{name}"), query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_guide_explains_calls_before_it_lists_operations(client):
    guide = page(client, "docs")

    parts = re.findall(r'<section[^>]* id="([\w-]+)"', guide)
    first = ["first-call", "authentication", "errors", "idempotency"]
    assert [part for part in parts if part in [*first, "operations"]] == [*first, "operations"]
    assert parts[-1] == "operations"
    menu = guide.partition('class="contents"')[2].partition("</nav>")[0]
    places = [f'href="{reverse("api:docs")}#authentication"', f'href="{reverse("api:problems")}"',
              f'href="{reverse("api:docs")}#idempotency"',
              f'href="{reverse("api:product", args=["payouts"])}"']  # fmt: skip
    found = [menu.index(place) for place in places]
    assert found == sorted(found)


@pytest.mark.parametrize(
    ("words", "title", "address"),
    [
        ("idempotency", "Idempotency", "/docs/#idempotency"),
        ("rate LIMITS", "Rate limits", "/docs/#rate-limits"),
        ("stock conflict", "STOCK_CONFLICT", "/docs/problems/stock-conflict"),
        ("post payouts", "POST /payouts", "/docs/reference/payouts/#payouts-create"),
        ("bank_code", "POST /payouts", "/docs/reference/payouts/#payouts-create"),
        ("deposit.settled", "deposit.settled", "/docs/events/#deposit-settled"),
    ],
)
def test_the_search_finds(client, words, title, address):
    found = page(client, "docs_search", q=words)

    assert f'<a href="{address}">{title}</a>' in found
    target, _, part = address.partition("#")
    assert not part or f'id="{part}"' in client.get(target).content.decode()


def test_every_topic_is_found_and_there(client):
    for title, name, part, words in documentation_search.TOPICS:
        address = reverse(f"api:{name}") + (f"#{part}" if part else "")
        for said in (str(title), words.split()[-1]):
            assert f'<a href="{address}">{title}</a>' in page(client, "docs_search", q=said)
        assert f'id="{part}"' in page(client, name) or not part


def test_the_search_says_that_it_finds_nothing_and_shows_the_words_as_text(client):
    found = page(client, "docs_search", q="<b>\0 nowhere")

    assert "Nothing found" in found
    assert "&lt;b&gt;" in found
    assert "result" not in page(client, "docs_search").partition("<main")[2].lower()


def test_every_page_of_the_documentation_has_the_search_and_the_downloads(client):
    for name in ("docs", "problems", "events", "sandbox", "versions", "signing"):
        shown = page(client, name)
        assert f'action="{reverse("api:docs_search")}"' in shown
        assert f'href="{reverse("api:openapi")}"' in shown
        assert f'href="{reverse("api:postman")}"' in shown


# The Postman collection -----------------------------------------------------------------------

_KEEP = re.compile(
    r'pm\.collectionVariables\.set\("(\w+)", pm\.response\.json\(\)\.([\w.\[\]]+)\);'
)


def filled(text: str, variables: dict[str, str]) -> str:
    """Replace variables by their values, as Postman does."""
    return re.sub(r"\{\{([$\w]+)\}\}", lambda found: variables[found[1]], text)


def value(answer: Any, path: str) -> str:
    for name in re.findall(r"\w+", path):
        answer = answer[int(name) if name.isdecimal() else name]
    return str(answer)


def test_the_collection_is_downloaded_and_has_every_operation(client):
    answer = client.get(reverse("api:postman"))

    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.content == postman.collection()
    read = answer.json()
    assert read["info"]["schema"].endswith("/v2.1.0/collection.json")
    names = {request["name"] for folder in read["item"] for request in folder["item"]}
    assert names == {f"{row.method} {row.path}" for row in OPERATIONS}


FOLDERS = json.loads(postman.collection())["item"]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder["name"])
def test_a_folder_of_the_collection_works_from_top_to_bottom(folder, unlimited):
    plain, api = a_client(), Caller()
    variables = {"base_url": "/sandbox/v1"}
    for number, one in enumerate(folder["item"]):
        sent, variables["$guid"] = one["request"], f"postman-{number:04}"
        headers = {
            f"HTTP_{header['key'].upper().replace('-', '_')}".replace("HTTP_CONTENT", "CONTENT"):
            filled(header["value"], variables)
            for header in sent["header"]
        }  # fmt: skip
        body = filled(sent.get("body", {}).get("raw", ""), variables).encode()
        address = filled(sent["url"]["raw"], variables)
        assert filled("/".join(sent["url"]["path"]), variables) in address
        reply = api.call(sent["method"], address, plain, body=body, **headers)
        assert reply.status < 300, (one["name"], reply.body)
        for event in one["event"]:
            for line in event["script"]["exec"]:
                kept = _KEEP.fullmatch(line)
                assert kept, line
                variables[kept[1]] = value(reply.json, kept[2])
