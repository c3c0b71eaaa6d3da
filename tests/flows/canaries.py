"""Every account flow that handles a secret, over HTTP; each yields its secrets with their names."""

import base64
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connection

from console.accounts.models import Business
from console.shell.models import DemoMail
from tests import factories
from tests.databases import as_owner, go_past_triggers
from tests.flows.leaks import Secret
from tests.flows.visitor import Visitor, at_odd_addresses
from tests.waiting import eventually

OWNER, COLLEAGUE, NEWCOMER = "nadia@harbour.example", "otto@harbour.example", "pia@harbour.example"
PASSWORDS = {
    "password at sign-up": "seven amber kites drifting",
    "password typed wrongly": "nine copper owls sleeping",
    "password after the change": "three velvet moons rising",
    "password after the reset": "eleven document boats sinking",
    "password refused as too short": "tin owl 42",
    "password typed wrongly at a change": "four crimson gulls wading",
    "colleague's password": "six marble foxes yawning",
    "newcomer's password": "two paper lanterns humming",
}
CODE = "a code that no app of anybody shows"
# Link tokens that may appear in each recipient's e-mails.
MEANT = {
    OWNER: {"confirmation token", "reset token"},
    COLLEAGUE: {"invitation token", "token of “This is not me”"},
    NEWCOMER: {
        "newcomer's invitation token",
        "newcomer's token of “This is not me”",
        "newcomer's confirmation token",
    },
}
MAIL_PASSWORD = "what the mail server asks for"

Canaries = Iterator[tuple[str, Secret]]


def of_deployment() -> Canaries:
    """Yield the secrets in the programs' environment, encoded and as raw bytes."""
    yield "SECRET_KEY", settings.SECRET_KEY
    for name in ("VAULT_KEYS", "KEY_PEPPER"):
        written = os.environ[name].partition(":")[2]
        yield name, written
        yield f"bytes of {name}", base64.b64decode(written)
    # The site's and the owner's role share this password: see tests/cluster.py.
    yield "password of the database", connection.settings_dict["PASSWORD"]
    yield "EMAIL_HOST_PASSWORD", MAIL_PASSWORD


def of_people(nadia: Visitor) -> Canaries:
    """Sign up the owner, set up an authenticator, and change and reset the password."""
    yield from PASSWORDS.items()
    yield "one-time code typed wrongly", CODE
    yield from signing_up(nadia)
    shown = dict(setting_up_an_authenticator(nadia))
    yield from shown.items()
    codes = (str(shown[f"recovery code {number}"]) for number in (1, 2))
    yield from changing_and_resetting(nadia, *codes)


def signing_up(nadia: Visitor) -> Canaries:
    first, wrong, _, _, short, *_ = PASSWORDS.values()
    for password in (short, first):
        nadia.post("/sign-up/", name="Nadia Boateng", email=OWNER, password=password)
    confirm, *_ = links_to(OWNER, "Confirm your e-mail")
    yield "confirmation token", last_part(confirm)
    Visitor(nadia.url).post(confirm, code=wrong)
    nadia.post(confirm, code=first)
    Visitor(nadia.url).post("/sign-in/", email=OWNER, password=wrong)
    yield "session cookie", nadia.cookie("session")
    yield "CSRF cookie", nadia.cookie("csrf")
    assert "Nadia" in nadia.get("/")


def setting_up_an_authenticator(nadia: Visitor) -> Canaries:
    nadia.post("/account/authenticator/begin/", on="/account/authenticator/")
    (shown,) = re.findall(r"<code[^>]*>([A-Z2-7 ]{32,})</code>", nadia.page)
    seed = base64.b32decode(shown.replace(" ", ""))
    yield "seed of the authenticator", shown
    yield "bytes of the seed", seed
    # A code works only once, so leave the current one for the next steps.
    nadia.post("/account/authenticator/", code=factories.a_code(seed, ahead=-1))
    codes = list(dict.fromkeys(re.findall(r"\b[2-9a-z]{4}(?:-[2-9a-z]{4}){3}\b", nadia.page)))
    assert len(codes) == 10
    for number, code in enumerate(codes, 1):
        yield f"recovery code {number}", code
    nadia.open_again("/account/", "/account/authenticator/")
    keep_at_the_reset()


def keep_at_the_reset() -> None:
    """Make factors and recovery codes older than a day: a reset removes newer ones."""
    with as_owner() as owner:
        go_past_triggers(owner)
        owner.execute("UPDATE accounts_authenticator SET created_at = now() - interval '2 days'")
        owner.execute("UPDATE accounts_recoverycode SET made_at = now() - interval '2 days'")


def changing_and_resetting(nadia: Visitor, code: str, next_code: str) -> Canaries:
    first, _, changed, final, _, mistaken, *_ = PASSWORDS.values()
    nadia.post("/account/password/", current=mistaken, password=changed)
    assert "That is not your current password" in nadia.page
    nadia.post("/account/password/", current=first, password=changed)
    assert "Your password is changed" in nadia.page

    other = Visitor(nadia.url)
    other.post("/sign-in/", email=OWNER, password=changed)
    other.post("/sign-in/code/", code=code)
    assert "Nadia" in other.get("/")
    yield "second session cookie", other.cookie("session")

    stranger = Visitor(nadia.url)
    stranger.post("/sign-in/forgot/", email=OWNER)
    reset, *_ = links_to(OWNER, "Set a new password")
    yield "reset token", last_part(reset)
    stranger.get(f"/nowhere{reset}")
    for path in ("/", "/nowhere/", "/sandbox/v1/me", "/static/nothing.css"):
        stranger.get(path, {"Referer": nadia.url + reset})
    at_odd_addresses(nadia.url, reset)
    stranger.post(reset, password=final)
    stranger.post(reset, password=final)
    nadia.post("/sign-in/", email=OWNER, password=final)
    nadia.post("/sign-in/code/", code=next_code)
    assert "Nadia" in nadia.page, nadia.page[-3000:]
    guessing = Visitor(nadia.url)
    guessing.post("/sign-in/", email=OWNER, password=final)
    guessing.post("/sign-in/code/", code=CODE)
    assert "did not work" in guessing.page


def a_business(nadia: Visitor) -> Business:
    nadia.post("/businesses/new/", name="Harbour Works Ltd")
    return Business.objects.get()


def inviting(nadia: Visitor, business: Business) -> Canaries:
    """Invite a person who has an account with an authenticator, and a person without an account."""
    otto = factories.a_person("Otto", email=COLLEAGUE, password=PASSWORDS["colleague's password"])
    seed = factories.an_authenticator(otto)
    yield "bytes of the colleague's seed", seed
    yield "seed of the colleague's authenticator", base64.b32encode(seed).decode()
    invitation, not_me = invited(nadia, business, COLLEAGUE)
    yield "invitation token", last_part(invitation)
    yield "token of “This is not me”", last_part(not_me)
    for path in (invitation, not_me, f"/nowhere{not_me}", f"{not_me}x"):
        Visitor(nadia.url).get(path)
    at_odd_addresses(nadia.url, invitation)
    at_odd_addresses(nadia.url, not_me)
    with a_table_gone("accounts_invitation"):
        nadia.get(invitation)
        assert nadia.status == 500
    with a_table_gone("accounts_session"):
        at_odd_addresses(nadia.url, invitation, Cookie=f"session={nadia.cookie('session')}")
    yield from joining_by_code(Visitor(nadia.url), invitation, seed)

    invitation, not_me = invited(nadia, business, NEWCOMER)
    yield "newcomer's invitation token", last_part(invitation)
    yield "newcomer's token of “This is not me”", last_part(not_me)
    yield from joining_as_newcomer(Visitor(nadia.url), invitation)


def invited(nadia: Visitor, business: Business, email: str) -> list[str]:
    nadia.post(f"/b/{business.public_id}/team/invite/", email=email, role="viewer")
    return links_to(email, "Harbour")


def joining_by_code(otto: Visitor, invitation: str, seed: bytes) -> Canaries:
    (sign_in,) = re.findall(r'href="(/sign-in/\?next=[^"]+)"', otto.get(invitation))
    otto.post(sign_in, email=COLLEAGUE, password=PASSWORDS["colleague's password"])
    yield "cookie of a sign-in that waits for its code", otto.cookie("session")
    otto.post("/sign-in/code/", code=factories.a_code(seed))
    yield "colleague's session cookie", otto.cookie("session")
    otto.post(f"{invitation}accept/", on=invitation)
    assert "You now work for" in otto.page


def joining_as_newcomer(pia: Visitor, invitation: str) -> Canaries:
    (sign_up,) = re.findall(r'href="(/sign-up/\?invitation=[^"]+)"', pia.get(invitation))
    password = PASSWORDS["newcomer's password"]
    pia.post(sign_up, name="Pia Marsh", email=NEWCOMER, password=password)
    confirm, *_ = links_to(NEWCOMER, "Confirm your e-mail")
    yield "newcomer's confirmation token", last_part(confirm)
    pia.post(confirm, code=password)
    pia.post(f"{invitation}accept/", on=invitation)
    assert "You now work for" in pia.page


def links_to(address: str, subject: str) -> list[str]:
    """Return the paths of the links in the newest matching e-mail."""

    def newest() -> DemoMail | None:
        return (
            DemoMail.objects.filter(to=address, subject__contains=subject).order_by("-pk").first()
        )

    eventually(newest)
    return re.findall(r"https?://[^/]+(/\S+)", newest().body)


def last_part(path: str) -> str:
    return path.strip("/").rpartition("/")[2]


@contextmanager
def a_table_gone(name: str) -> Iterator[None]:
    """Rename the table, so pages that need it answer 500 and the error is logged in full."""
    with as_owner() as owner:
        owner.execute(f"ALTER TABLE {name} RENAME TO {name}_gone")
    try:
        yield
    finally:
        with as_owner() as owner:
            owner.execute(f"ALTER TABLE {name}_gone RENAME TO {name}")
