"""Every flow that handles an API key or a signing secret, from creation to revocation."""

import json
import re
from typing import Any

from apikeys import secrets
from apikeys.lifecycle import Environment
from console.accounts.models import Business
from console.accounts.roles import Role
from console.accounts.session_store import SessionStore
from tests import factories
from tests.apikeys import world
from tests.flows.canaries import OWNER, Canaries, links_to
from tests.flows.visitor import Visitor, at_odd_addresses

STAFF_PASSWORD = "ten granite herons fishing"
SCOPES = ["balances:read", "webhooks:read", "webhooks:write"]
_KEY = re.compile(r"svc_test_[0-9A-Za-z]{16}:[0-9A-Za-z]{20,}")
_SIGNING_SECRET = re.compile(r"whsec_[A-Za-z0-9+/]{48}")


class KeyFlows:
    """Flows in which an owner, their programs, staff or a secret scanner handle keys."""

    def __init__(self, owner: Visitor, business: Business) -> None:
        self.owner, self.business, self.url = owner, business, owner.url
        self.here = f"/b/{business.public_id}"
        self.grant = world.a_grant(business)
        self.program = Visitor(self.url)
        self.bearer: dict[str, str] = {}

    def walk(self, recovery_code: str) -> Canaries:
        """Run every flow; `recovery_code` answers the request to confirm identity."""
        yield from self.making_and_rotating()
        yield from self.endpoint_on_pages()
        yield from self.endpoint_of_a_program()
        yield from self.keys_in_texts(recovery_code)
        yield from self.found_in_public()
        yield from self.suspended_by_staff()

    def making_and_rotating(self) -> Canaries:
        """Create a key, use it, rotate its secret, and open every page about it again."""
        first = self._new_key("Till")
        yield "API secret", secret_of(first)
        self.owner.send_again()
        assert "already created this key" in self.owner.page
        self.bearer = bearer(first)
        assert self.program.get("/sandbox/v1/me", self.bearer).startswith("{")
        self.program.get("/v1/me", self.bearer)
        for query in (f"me?key={first}", f"webhook-endpoints?cursor={first}"):
            self.program.get(f"/sandbox/v1/{query}", self.bearer)
        for path in (f"/nowhere/{first}", f"/sandbox/v1/{first}"):
            at_odd_addresses(self.url, path, **self.bearer)
        self.program.get("/sandbox/v1/me", {"Authorization": f"Bearer {first}x"})

        page = self._page_of(first)
        self.owner.post(f"{page}rotate/", grace="1h")
        second = self._only(_KEY)
        yield "API secret after the rotation", secret_of(second)
        for key in (first, second):
            assert self.program.get("/sandbox/v1/me", bearer(key)).startswith("{")
        self.bearer = bearer(second)
        self.owner.post(f"{page}stored/", on=f"{self.here}/keys/", stored="on")
        self.owner.open_again(page, f"{self.here}/keys/", f"{page}rotate/", f"{page}revoke/")

    def endpoint_on_pages(self) -> Canaries:
        new = f"{self.here}/webhooks/new/sandbox/"
        self.owner.post(new, url=f"{self.url}/demo/receiver/", every="on")
        signing = self._only(_SIGNING_SECRET)
        yield "signing secret of an endpoint", signing
        self.owner.send_again()
        Visitor(self.url).get(f"/nowhere/{signing}", {"Referer": f"{self.url}/?{signing}"})
        (endpoint,) = set(re.findall(r"whe_[0-9a-z]+", self.owner.get(f"{self.here}/webhooks/")))
        page = f"{self.here}/webhooks/{endpoint}/"
        self.owner.post(f"{page}secret/")
        yield "rotated signing secret of an endpoint", self._only(_SIGNING_SECRET)
        self.owner.open_again(
            *(page, f"{self.here}/webhooks/", f"{page}secret/", f"{page}edit/"),
            f"{page}deliveries/",
        )

    def endpoint_of_a_program(self) -> Canaries:
        """Create and rotate by API, each twice with one Idempotency-Key to replay the response."""
        wanted = {"url": f"{self.url}/demo/receiver/in/", "enabled_events": ["*"]}
        made = self._call_twice("/sandbox/v1/webhook-endpoints", wanted)
        yield "signing secret of a program's endpoint", made["signing_secret"]
        one = f"/sandbox/v1/webhook-endpoints/{made['id']}"
        rotated = self._call_twice(f"{one}/rotate-secret", {})
        yield "rotated signing secret of a program's endpoint", rotated["signing_secret"]
        for path in (one, "/sandbox/v1/webhook-endpoints", "/sandbox/v1/me"):
            self.program.opened_again.append(self.program.get(path, self.bearer))
            assert self.program.status == 200
        self.owner.open_again(f"{self.here}/webhooks/{made['id']}/")

    def keys_in_texts(self, recovery_code: str) -> Canaries:
        """Enter whole keys in free text and in API requests; each is refused and not stored."""
        told = "Remove the API key"
        answer, kept, reason, sent, once = keys_of_nobody(5)
        yield "API secret in an answer", secret_of(answer)
        self.owner.post(f"{self.here}/access/start/", on=f"{self.here}/access/")
        typed = {"asked": "ff_steps", "ff_steps": f"We call you with {answer} from our server."}
        section = f"{self.here}/access/funds_flow/"
        for part in ("", "autosave/"):
            self.owner.post(section + part, on=section, **typed)
            assert self.owner.status == (200 if part else 422)
        self.owner.open_again(section)
        assert secrets.TAKEN_OUT in self.owner.page

        yield "API secret in a form that waits for a confirmation", secret_of(kept)
        self._confirmed_long_ago()
        self.owner.post(f"{self.here}/team/invite/", email=f"{kept}@harbour.example", role="viewer")
        self.owner.post("/confirm/", code=recovery_code)

        yield "API secret in the reason of an owner", secret_of(reason)
        page = self._page_of(self.bearer["Authorization"].removeprefix("Bearer "))
        self.owner.post(f"{page}revoke/", name="Till", reason=f"It leaked: {reason}")
        assert told in self.owner.page

        yield "API secret in the body of a call", secret_of(sent)
        wanted = {"url": f"{self.url}/in/", "enabled_events": ["*"], "description": sent}
        body = self.program.call("/sandbox/v1/webhook-endpoints", wanted, self._once("with a key"))
        assert "holds_a_key" in body
        yield "API secret as an Idempotency-Key", secret_of(once)
        wanted = {"url": f"{self.url}/in/", "enabled_events": ["*"]}
        body = self.program.call("/sandbox/v1/webhook-endpoints", wanted, self._once(once))
        assert "holds_a_key" in body

    def found_in_public(self) -> Canaries:
        """Report a leaked key as a secret scanning service does."""
        key = self._new_key("Shop")
        yield "API secret found in public", secret_of(key)
        finder = Visitor(self.url)
        finder.call("/exposed-keys/", {"token": key, "url": f"https://git.example/{key}"})
        assert finder.status == 202
        finder.get(f"/exposed-keys/?{key}")
        links_to(OWNER, "found in public")
        self.owner.open_again(self._page_of(key))

    def suspended_by_staff(self) -> Canaries:
        """Suspend as staff, first with a key in the reason and then without."""
        yield "staff's password", STAFF_PASSWORD
        person = factories.one_of_staff(Role.ACCOUNT_MANAGER, password=STAFF_PASSWORD)
        staff = Visitor(self.url)
        staff.post("/sign-in/", email=person.email, password=STAFF_PASSWORD)
        staff.post("/sign-in/code/", code=factories.a_code(factories.seed_of(person)))
        page = f"/grants/{self.grant.public_id}/"
        (reason,) = keys_of_nobody(1)
        yield "API secret in the reason of our staff", secret_of(reason)
        staff.post(f"{page}suspend/", on=page, reason=f"They sent us {reason}")
        assert "Remove the API key" in staff.page
        staff.post(f"{page}suspend/", on=page, reason="They ask for it.")
        self.program.get("/sandbox/v1/me", self.bearer)
        assert self.program.status == 403

    def _new_key(self, name: str) -> str:
        self.owner.post(f"{self.here}/keys/new/", name=name, scopes=SCOPES, days="30")
        return self._only(_KEY)

    def _only(self, shape: re.Pattern[str]) -> str:
        found = set(shape.findall(self.owner.page))
        assert len(found) == 1, self.owner.page
        return found.pop()

    def _page_of(self, key: str) -> str:
        return f"{self.here}/keys/{key.partition(':')[0]}/"

    def _once(self, name: str) -> dict[str, str]:
        return {**self.bearer, "Idempotency-Key": name}

    def _call_twice(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        first, second = (
            json.loads(self.program.call(path, body, self._once(path))) for _ in range(2)
        )
        assert first["signing_secret"] == second["signing_secret"], (first, second)
        return first

    def _confirmed_long_ago(self) -> None:
        """Expire the owner's identity confirmation, so sensitive actions ask for it again."""
        session: Any = SessionStore(self.owner.cookie("session"))
        session["confirmed"] = {"at": "2000-01-01T00:00:00+00:00", "by": "code"}
        session.save()


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def keys_of_nobody(count: int) -> list[str]:
    """Return unregistered keys; each is typed in one place only, so a leak shows where."""
    return [secrets.mint(Environment.SANDBOX).plain for _ in range(count)]


def secret_of(key: str) -> str:
    return key.partition(":")[2]
