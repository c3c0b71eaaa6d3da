"""Every secret through every flow, then a search of all that is kept or written (R9).

Real programs: what they log, what the broker is told, what the database and the files hold.
"""

import base64
import http.cookiejar
import json
import re
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from html import unescape
from pathlib import Path

import pytest
import redis
from django.conf import settings
from django.db import connection, transaction

from apikeys.grants import grants
from apikeys.lifecycle import GrantStatus
from apikeys.models import Grant
from console.accounts.actors import SYSTEM
from console.accounts.models import Business
from console.launch import postgres
from console.shell.models import DemoMail
from tests import factories
from tests.apikeys import world
from tests.databases import as_owner, cluster
from tests.flows import going_live
from tests.proofs import Proven, proof
from tests.services import Services
from tests.waiting import eventually

OWNER, COLLEAGUE = "nadia@harbour.example", "otto@harbour.example"
PASSWORDS = {
    "password at sign-up": "seven amber kites drifting",
    "password typed wrongly": "nine copper owls sleeping",
    "password after the change": "three velvet moons rising",
    "password after the reset": "eleven document boats sinking",
    "password refused as too short": "tin owl 42",
}
CODE = "a code that no app of anybody shows"
PROGRAMS = ("worker", "beat", "deliver", "web")


class Browser:
    """Somebody at the site: cookies, forms, and what the last page said.

    What refused anybody is kept for all of them: `refused`.
    """

    refused: list[str] = []

    def __init__(self, url: str) -> None:
        self.url, self.page, self.status = url, "", 0
        self.cookies = http.cookiejar.CookieJar()
        handler = urllib.request.HTTPCookieProcessor(self.cookies)
        self._opener = urllib.request.build_opener(handler)

    def get(self, path: str, headers: dict[str, str] | None = None) -> str:
        return self._open(urllib.request.Request(self.url + path, headers=headers or {}))

    def post(self, path: str, /, on: str = "", **fields: str) -> str:
        """Open the page, or the one named, and send its form with these fields."""
        page = self.get(on or path)
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        hidden = re.findall(r'<input type="hidden" name="(once)" value="([^"]+)"', page)
        sent = {"csrfmiddlewaretoken": token[1] if token else "", **dict(hidden), **fields}
        data = urllib.parse.urlencode(sent).encode()
        return self._open(urllib.request.Request(self.url + path, data=data))

    def cookie(self, name: str) -> str:
        return next(str(one.value) for one in self.cookies if one.name == name)

    def _open(self, request: urllib.request.Request) -> str:
        try:
            with self._opener.open(request, timeout=30) as answer:
                self.status, self.page = answer.status, unescape(answer.read().decode())
        except urllib.error.HTTPError as refused:
            with closing(refused):
                self.status, self.page = refused.code, unescape(refused.read().decode())
            self.refused.append(self.page)
        return self.page


class Told:
    """All that the broker is told while it runs, message bodies opened."""

    def __init__(self, url: str) -> None:
        self.lines: list[str] = []
        where = url.partition("://")[2].partition("?")[0]
        self._client = redis.Redis(
            unix_socket_path=where, encoding_errors="replace", socket_timeout=None
        )
        self._ready = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()
        assert self._ready.wait(10)

    def _listen(self) -> None:
        with suppress(redis.ConnectionError), self._client.monitor() as monitor:
            self._ready.set()
            for said in monitor.listen():  # until the broker ends
                line = str(said["command"])
                self.lines.append(line)
                self.lines += [
                    base64.b64decode(body).decode(errors="replace")
                    for body in re.findall(r'body\\*": ?\\*"([A-Za-z0-9+/=]+)', line)
                ]

    def text(self) -> str:
        return "\n".join(self.lines)


def links_to(address: str, subject: str) -> list[str]:
    """The paths of the links in the newest mail with that subject."""

    def newest() -> DemoMail | None:
        return (
            DemoMail.objects.filter(to=address, subject__contains=subject).order_by("-pk").first()
        )

    eventually(newest)
    return re.findall(r"https?://[^/]+(/\S+)", newest().body)


def every_flow(url: str) -> Iterator[tuple[str, str]]:
    """Walk every flow that handles a secret; yield each secret with its name as it is met."""
    yield from PASSWORDS.items()
    first, wrong, changed, final, short = PASSWORDS.values()
    nadia = Browser(url)
    nadia.post("/sign-up/", name="Nadia Boateng", email=OWNER, password=short)
    nadia.post("/sign-up/", name="Nadia Boateng", email=OWNER, password=first)
    confirm, *_ = links_to(OWNER, "Confirm your e-mail")
    yield "confirmation token", last_part(confirm)
    Browser(url).post(confirm, code=wrong)
    nadia.post(confirm, code=first)
    Browser(url).post("/sign-in/", email=OWNER, password=wrong)
    yield "session cookie", nadia.cookie("session")
    yield "CSRF cookie", nadia.cookie("csrf")
    assert "Nadia" in nadia.get("/")

    nadia.post("/account/authenticator/begin/", on="/account/authenticator/")
    (seed_text,) = re.findall(r"<code[^>]*>([A-Z2-7 ]{32,})</code>", nadia.page)
    seed = base64.b32decode(seed_text.replace(" ", ""))
    yield "seed of the authenticator", seed_text.replace(" ", "")
    nadia.post("/account/authenticator/", code=factories.a_code(seed))
    codes = re.findall(r"\b[2-9a-z]{4}(?:-[2-9a-z]{4}){3}\b", nadia.page)
    assert len(set(codes)) == 10
    for number, code in enumerate(dict.fromkeys(codes), 1):
        yield f"recovery code {number}", code
    nadia.post("/account/password/", current=first, password=changed)
    assert nadia.status == 200

    other = Browser(url)
    other.post("/sign-in/", email=OWNER, password=changed)
    other.post("/sign-in/code/", code=codes[0])
    assert "Nadia" in other.get("/")
    yield "second session cookie", other.cookie("session")

    stranger = Browser(url)
    stranger.post("/sign-in/forgot/", email=OWNER)
    reset, *_ = links_to(OWNER, "Set a new password")
    yield "reset token", last_part(reset)
    stranger.get(f"/nowhere{reset}")
    assert stranger.status in (302, 200, 404)
    for path in ("/", "/nowhere/", "/sandbox/v1/me", "/static/nothing.css"):
        stranger.get(path, {"Referer": url + reset})
    stranger.post(reset, password=final)
    stranger.post(reset, password=final)
    stranger.post("/sign-in/", email=OWNER, password=final)
    stranger.post("/sign-in/code/", code=codes[1])
    assert "Nadia" in stranger.page, stranger.page[-3000:]
    guessing = Browser(url)
    guessing.post("/sign-in/", email=OWNER, password=final)
    guessing.post("/sign-in/code/", code=CODE)
    assert "did not work" in guessing.page
    yield "one-time code typed wrongly", CODE
    yield from a_business(stranger)


def a_business(nadia: Browser) -> Iterator[tuple[str, str]]:
    nadia.post("/businesses/new/", name="Harbour Works Ltd")
    business = Business.objects.get()
    here = f"/b/{business.public_id}"
    nadia.post(f"{here}/team/invite/", email=COLLEAGUE, role="viewer")
    invitation, not_me = links_to(COLLEAGUE, "Harbour")
    yield "invitation token", last_part(invitation)
    yield "token of “This is not me”", last_part(not_me)
    for path in (invitation, not_me, f"/nowhere{not_me}", f"{not_me}x"):
        Browser(nadia.url).get(path)
    with a_table_gone("accounts_invitation"):
        assert "500" in str(_status(nadia, invitation))
    grant = world.a_grant(business)
    nadia.post(f"{here}/keys/new/", name="Till", scopes="balances:read", days="30")
    (key,) = set(re.findall(r"svc_test_[0-9A-Za-z]{16}:[0-9A-Za-z]{20,}", nadia.page))
    yield "API secret", key.partition(":")[2]
    bearer = {"Authorization": f"Bearer {key}"}
    assert Browser(nadia.url).get("/sandbox/v1/me", bearer).startswith("{")
    for path in ("/v1/me", f"/sandbox/v1/{key}", f"/sandbox/v1/me?key={key}", f"/nowhere/{key}"):
        Browser(nadia.url).get(path, bearer)
    new = f"{here}/webhooks/new/sandbox/"
    nadia.post(new, url=f"{nadia.url}/demo/receiver/", every="on")
    (signing,) = set(re.findall(r"whsec_[A-Za-z0-9+/]{48}", nadia.page))
    yield "signing secret of an endpoint", signing
    Browser(nadia.url).get(f"/nowhere/{signing}", {"Referer": f"{nadia.url}/?{signing}"})
    with transaction.atomic():
        grants.move(Grant.objects.get(pk=grant.pk), GrantStatus.SUSPENDED, by=SYSTEM)
    Browser(nadia.url).get("/sandbox/v1/me", bearer)
    Browser(nadia.url).get("/sandbox/v1/me", {"Authorization": f"Bearer {key}x"})


def _status(browser: Browser, path: str) -> int:
    browser.get(path)
    return browser.status


def last_part(path: str) -> str:
    return path.strip("/").rpartition("/")[2]


@contextmanager
def a_table_gone(name: str) -> Iterator[None]:
    """The page that needs it answers 500, and everything about it is logged."""
    with as_owner() as owner:
        owner.execute(f"ALTER TABLE {name} RENAME TO {name}_gone")
    try:
        yield
    finally:
        with as_owner() as owner:
            owner.execute(f"ALTER TABLE {name}_gone RENAME TO {name}")


def dump() -> str:
    """The whole database as text, but for the mails of the demo world, which are mail."""
    at = connection.settings_dict
    words = [str(postgres.binaries() / "pg_dump"), "--data-only", "--exclude-table=shell_demomail"]
    words += ["-h", at["HOST"], "-U", "owner", at["NAME"]]
    if at["PORT"]:
        words += ["-p", str(at["PORT"])]
    environment = {"PGPASSWORD": at["PASSWORD"]}
    said = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    return said.stdout


def forms_of(secret: str) -> list[str]:
    """A secret as it could be written down: as it is, without hyphens, in hex, in base64."""
    plain = {secret, secret.replace("-", "")}
    coded = {base64.b64encode(one.encode()).decode().rstrip("=")[:-1] for one in plain}
    return sorted(plain | coded | {one.encode().hex() for one in plain})


def found_in(text: str, secrets: dict[str, str]) -> list[str]:
    return [name for name, one in secrets.items() if any(form in text for form in forms_of(one))]


def mails_to_others(secrets: dict[str, str]) -> list[str]:
    """Secrets in a mail, but for a link's token in the mail to the person whom it is for."""
    meant = {
        OWNER: {"confirmation token", "reset token"},
        COLLEAGUE: {"invitation token", "token of “This is not me”"},
    }
    return [
        f"{name} to {mail.to}"
        for mail in DemoMail.objects.all()
        for name in found_in(mail.body + mail.subject, secrets)
        if name not in meant.get(mail.to, set())
    ]


@pytest.mark.services
@proof("R9", "secrets in what is kept or written")
def test_no_secret_is_found_outside_the_one_answer(services: Services, proven: Proven):
    services.start("broker")
    told = Told(services.broker.url)
    Browser.refused.clear()
    services.start(*PROGRAMS, **going_live.HERE)

    secrets = dict(every_flow(services.url))
    eventually(lambda: "handle" in told.text())
    for program in PROGRAMS:
        services.stop(program)

    places = {
        **{f"{name} log": services.log_of(name).read_text() for name in PROGRAMS},
        "database's log": (cluster() / "postgres.log").read_text(errors="replace"),
        "error pages": "\n".join(Browser.refused),
        "database": dump(),
        "broker": told.text(),
        "files": "\n".join(
            f"{path}\n{path.read_bytes().decode('latin-1')}"
            for path in Path(settings.DATA_DIR).rglob("*")
            if path.is_file()
        ),
    }
    assert all(places.values()), "Nothing was searched."
    assert "request_failed" in places["web log"], "No page failed."
    found = [f"{name} in the {place}" for place, text in places.items()
             for name in found_in(text, secrets)]  # fmt: skip
    found += mails_to_others(secrets)
    proven.reached(
        f"{len(secrets)} secrets in {len(places)} places and {DemoMail.objects.count()} mails: "
        f"{found or 'none found'}",
        met=len(secrets) >= 20 and not found,
    )


def test_the_search_finds_a_secret_in_every_form():
    secrets = {"code": "ab12-cd34-ef56-gh78"}
    for text in ("x ab12-cd34-ef56-gh78 y", "ab12cd34ef56gh78"):
        assert found_in(text, secrets) == ["code"]
    assert found_in(
        json.dumps({"body": base64.b64encode(b"ab12-cd34-ef56-gh78").decode()}), secrets
    )
    assert found_in("\\\\x" + b"ab12cd34ef56gh78".hex(), secrets)
    assert not found_in("ab12-cd34-ef56", secrets)
