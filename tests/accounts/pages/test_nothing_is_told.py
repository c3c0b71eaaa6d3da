"""R14: no answer or timing reveals whether an address is known; `next` stays on the site."""

import gc
import re
from html import unescape
from statistics import median
from time import perf_counter
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from console.accounts.models import Throttle
from console.core.clock import now
from tests import factories
from tests.accounts.pages.journey import PASSWORD, a_person_with_a_password
from tests.proofs import Proven, is_full, proof

SIGN_IN = reverse("accounts:sign_in")
KNOWN, UNKNOWN = "amara@example.com", "nobody@example.com"
FORMS = {
    "sign in": (SIGN_IN, {"password": "not the password at all"}),
    "sign up": (reverse("accounts:sign_up"), {"name": "Amara Okafor", "password": PASSWORD}),
    "forgot": (reverse("accounts:forgot"), {}),
}


TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')


def posted(form, email, *, at="127.0.0.1"):
    address, typed = FORMS[form]
    return Client().post(address, typed | {"email": email}, REMOTE_ADDR=at)


def told(answer):
    """Return all that a stranger can read, without the parts that differ in every response."""
    main = main_of(answer)
    return (
        answer.status_code,
        answer.get("Location"),
        main,
        sorted(answer.headers),
        answer.cookies.keys(),
    )


def main_of(answer):
    return TOKEN.sub("", answer.text.partition("<main")[2])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("confirmed", [True, False], ids=["confirmed", "not yet confirmed"])
def test_a_known_and_an_unknown_address_are_answered_alike(form, confirmed):
    a_person_with_a_password(KNOWN, confirmed=confirmed)
    known, unknown = told(posted(form, KNOWN)), told(posted(form, UNKNOWN))

    assert [str(part).replace(KNOWN, UNKNOWN) for part in known] == [str(part) for part in unknown]


@pytest.mark.parametrize("form", FORMS)
def test_the_next_page_says_the_same_too(form):
    a_person_with_a_password(KNOWN)
    pages = []
    for email in (KNOWN, UNKNOWN):
        client = Client()
        address, typed = FORMS[form]
        page = client.post(address, typed | {"email": email}, follow=True)
        pages.append(main_of(page).replace(email, ""))

    assert pages[0] == pages[1]


@pytest.mark.check
@pytest.mark.usefixtures("real_password_hashes")
@pytest.mark.parametrize("form", FORMS)
@proof("R14", "time tells nothing", small=3, full=200, asked="median difference < 5 %")
def test_the_time_an_answer_takes_tells_nothing(proven: Proven, form):
    """Three attempts on a busy machine only show whether both do the same work."""
    a_person_with_a_password(KNOWN)
    taken: dict[str, list[float]] = {KNOWN: [], UNKNOWN: []}
    client = Client()
    client.get(FORMS[form][0])
    # Garbage from earlier requests would otherwise be collected during a measured one.
    gc.disable()
    try:
        for n in range(proven.size):
            for who in (KNOWN, UNKNOWN) if n % 2 else (UNKNOWN, KNOWN):
                taken[who].append(_seconds(client, form, who, n))
    finally:
        gc.enable()
    pairs = zip(taken[KNOWN], taken[UNKNOWN], strict=True)
    usual = median(taken[KNOWN] + taken[UNKNOWN])
    apart = abs(median(known - unknown for known, unknown in pairs)) / usual

    figure = f"{form}: {apart:.1%} of {usual * 1000:.0f} ms apart"
    proven.reached(figure, met=apart < (0.05 if is_full() else 1.5))


def _seconds(client, form, who, number):
    """Return the time of one response, with a new account and address each time to avoid locks."""
    address, typed = FORMS[form]
    email = who if who == KNOWN else f"{who[:3]}{number}{who[6:]}"
    at = f"10.{len(who)}.{number // 250}.{number % 250}"
    client.cookies.clear()
    Throttle.objects.all().delete()
    began = perf_counter()
    client.post(address, typed | {"email": email}, REMOTE_ADDR=at)
    return perf_counter() - began


# Targets of `next`. Browsers read a backslash as a slash, and skip tabs and newlines.
ELSEWHERE = [
    "https://evil.example", "http://evil.example/", "//evil.example", "///evil.example",
    "////evil.example", "/\\evil.example", "\\/evil.example", "\\\\evil.example",
    "\\\\\\evil.example", "/\\/evil.example", "//\\evil.example", "\\evil.example",
    "https:evil.example", "https:/evil.example", "https:\\\\evil.example", "http:///evil.example",
    "//evil.example:443/x", "//user@evil.example", "https://testserver@evil.example",
    "https://testserver:80@evil.example", "//testserver@evil.example", "//testserver.evil.example",
    "https://testserver.evil.example/", "https://evil.example?testserver",
    "https://evil.example#testserver", "https://evil.example\\testserver", "javascript:alert(1)",
    "JaVaScRiPt:alert(1)", "java\nscript:alert(1)", "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)", "ftp://evil.example", "\t//evil.example", "/\t/evil.example",
    "/\n/evil.example", "\r\n//evil.example", " //evil.example", "\x00//evil.example",
    "//evil\u3002example", "\u2028//evil.example",
]  # fmt: skip


def leads_here(address: str) -> bool:
    """Resolve a URL like a browser."""
    read = "".join(one for one in address.strip() if one not in "\t\r\n").replace("\\", "/")
    return urlsplit(urljoin("http://testserver/sign-in/", read)).netloc == "testserver"


@proof("R14", "open redirect", asked="0 of 40 lead off the site")
def test_next_never_leads_off_the_site(proven: Proven):
    a_person_with_a_password(KNOWN)
    typed = {"email": KNOWN, "password": PASSWORD}
    inside = factories.signed_in(Client(), factories.a_person())
    off = []
    for number, where in enumerate(ELSEWHERE):
        at = f"10.1.1.{number}"
        answers = [
            Client().post(SIGN_IN, typed | {"next": where}, REMOTE_ADDR=at),
            Client().post(SIGN_IN, typed, query_params={"next": where}, REMOTE_ADDR=at),
            inside.get(SIGN_IN, {"next": where}),
            inside.post(
                reverse("shell:theme"), {"theme": "dark"}, headers={"referer": _ascii(where)}
            ),
        ]
        off += [(where, one["Location"]) for one in answers if not leads_here(one["Location"])]

    figure = f"{len(off)} of {len(ELSEWHERE)} by {len(answers)} ways"
    proven.reached(figure, met=not off and len(ELSEWHERE) == 40, wrong=off)


def test_no_other_page_that_leads_on_leads_off_the_site():
    """Reauthentication, authenticator set-up, and the page before a refusal."""
    person = a_person_with_a_password(KNOWN)
    inside = factories.signed_in(Client(), person, by="password")
    late = factories.long_ago(factories.signed_in(Client(), factories.a_person()))
    confirm, begin = reverse("accounts:confirm"), reverse("accounts:begin_authenticator")
    off = []
    for number, where in enumerate(ELSEWHERE[::4]):
        late.defaults["REMOTE_ADDR"] = inside.defaults["REMOTE_ADDR"] = f"10.1.2.{number}"
        answers = [
            inside.post(confirm, {"code": PASSWORD, "next": where}),
            inside.post(begin, {"next": where}),
            late.post(begin, headers={"referer": _ascii(where)}),
            inside.get(reverse("accounts:authenticator"), {"next": where}),
        ]
        for answer in answers[:-1]:
            here = urlsplit(answer["Location"])
            onward = parse_qs(here.query).get("next", ["/"])[0]
            if not (leads_here(answer["Location"]) and leads_here(onward)):
                off.append((where, answer["Location"]))
        links = re.findall(r'(?:href|action|value)="([^"]*)"', answers[-1].text)
        off += [(where, unescape(one)) for one in links if "evil" in one]
    assert off == []


def test_a_word_is_no_way_on(client):
    for where in ["foo", "shell:home", "accounts:nowhere", ".", "a b"]:
        factories.signed_in(client, factories.a_person())
        assert client.get(SIGN_IN, {"next": where})["Location"] == reverse("shell:home")


@pytest.mark.parametrize(("where", "goes"), [("//evil.example", "/"), ("/account/", "/account/")])
def test_next_is_kept_through_the_second_step(client, where, goes):
    seed = factories.an_authenticator(a_person_with_a_password(KNOWN))
    client.post(SIGN_IN, {"email": KNOWN, "password": PASSWORD}, query_params={"next": where})

    with time_machine.travel(now(), tick=False):
        assert client.post(reverse("accounts:code"), {"code": factories.a_code(seed)}).url == goes


def _ascii(address: str) -> str:
    """Headers cannot contain the other characters."""
    return "".join(one for one in address if " " < one < "\x7f")
