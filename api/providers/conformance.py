"""Check whether a provider follows the protocol: the scenarios of `manage.py provider check`.

Every id and the business begin with `chk_`, and the environment is `test`, so that a provider
recognises what moves no money.
"""

import base64
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, ValidationError

from api.providers import http, signatures
from api.providers.configured import ConnectedProvider
from api.providers.installed import ProviderSilent
from api.providers.messages import AccountAnswer, CardAnswer, InstructionAnswer, Statement
from apikeys.webhooks import webhook_secrets
from console.core import clock

MessageT = TypeVar("MessageT", bound=BaseModel)
_AT_ONCE, _PAUSE = 8, 0.5
_AMOUNT = "1.00"
_OK, _UNREADABLE, _UNAUTHORISED, _NOT_FOUND, _CONFLICT = 200, 400, 401, 404, 409
_TOO_OLD = timedelta(seconds=signatures.TOLERANCE_SECONDS + 60)


class _Wrong(Exception):
    """What a provider did against the protocol."""


@dataclass(frozen=True)
class ScenarioResult:
    """The result of one scenario: what the provider shall do, and what it did instead, or ""."""

    shall: str
    problem: str = ""


class ConformanceCheck:
    """The scenarios against one provider, with objects of their own.

    `patience` is how many seconds an accepted instruction may take.
    """

    def __init__(
        self,
        provider: ConnectedProvider,
        *,
        currency: str,
        bank_account: Mapping[str, str],
        patience: float,
    ) -> None:
        self._provider, self._patience = provider, patience
        run = secrets.token_hex(6)
        self._prefix, self._business = f"chk_{run}", f"chk_biz_{run}"
        self._common = {
            "environment": "test",
            "business": self._business,
            "currency": currency,
            "created_at": clock.iso(clock.now()),
        }
        self._payout = {
            **self._common,
            "kind": "payout",
            "amount": _AMOUNT,
            "reference": "Conformance check",
            "details": {"bank_account": dict(bank_account)},
        }
        self._card = {
            **self._common,
            "card_type": "virtual",
            "label": "",
            "holder": {
                "first_name": "Conformance",
                "last_name": "Check",
                "date_of_birth": "1990-12-10",
                "country": "GB",
                "address": {"line1": "1 High Street", "city": "Bristol", "country": "GB"},
            },
        }
        del self._card["created_at"]
        self._issued_card: CardAnswer | None = None
        self._account = {**self._common, "account_name": "Conformance Check Ltd"}
        self._first_day = datetime.now(UTC).date()

    def run(self) -> Iterator[ScenarioResult]:
        """Run the scenarios that fit the provider's work, in their order."""
        scenarios = [*self._signed()]
        if "payouts" in self._provider.work:
            scenarios += self._instructions()
        if "virtual_accounts" in self._provider.work:
            scenarios += self._accounts()
        if "cards" in self._provider.work:
            scenarios += self._cards()
        if "payouts" in self._provider.work:
            scenarios += self._money()
        for shall, scenario in scenarios:
            try:
                scenario()
            except (_Wrong, ProviderSilent) as wrong:
                yield ScenarioResult(shall, str(wrong))
            else:
                yield ScenarioResult(shall)

    # Signatures

    def _signed(self) -> Iterator[tuple[str, Callable[[], None]]]:
        yield "refuse a request without a signature (401)", self._without_signature
        yield "refuse a signature by another secret (401)", self._other_secret
        yield "refuse a signature of another body (401)", self._other_body
        yield "refuse a signature of another path (401)", self._other_path
        yield "refuse a timestamp six minutes ago (401)", lambda: self._at(-_TOO_OLD)
        yield "refuse a timestamp in six minutes (401)", lambda: self._at(_TOO_OLD)
        yield "accept one right signature of several", self._several_signatures

    def _without_signature(self) -> None:
        self._expect_refusal("GET", self._path("none"), b"", {}, status=_UNAUTHORISED)

    def _other_secret(self) -> None:
        path, body = self._path("forged"), orjson.dumps(self._payout)
        forged = signatures.headers(webhook_secrets.make(), f"PUT {path}", body)
        self._expect_refusal("PUT", path, body, forged, status=_UNAUTHORISED)
        self._expect_unknown(path)

    def _other_body(self) -> None:
        path, body = self._path("forged"), orjson.dumps(self._payout)
        self._expect_refusal(
            "PUT", path, body, self._sign("PUT", path, body + b" "), status=_UNAUTHORISED
        )
        self._expect_unknown(path)

    def _other_path(self) -> None:
        path, body = self._path("forged"), orjson.dumps(self._payout)
        signed = self._sign("PUT", self._path("other"), body)
        self._expect_refusal("PUT", path, body, signed, status=_UNAUTHORISED)
        # The header alone may be wrong, too: a proxy may have changed the path.
        renamed = self._sign("PUT", path, body) | {signatures.ID: f"GET {path}"}
        self._expect_refusal("PUT", path, body, renamed, status=_UNAUTHORISED)
        self._expect_unknown(path)

    def _at(self, offset: timedelta) -> None:
        path = self._path("none")
        moment = clock.now() + offset
        signed = signatures.headers(self._secret, f"GET {path}", b"", at=moment)
        self._expect_refusal("GET", path, b"", signed, status=_UNAUTHORISED)

    def _several_signatures(self) -> None:
        path = self._path("none")
        signed = self._sign("GET", path, b"")
        other = base64.b64encode(secrets.token_bytes(32)).decode()
        signed[signatures.SIGNATURE] = f"v1,{other} {signed[signatures.SIGNATURE]}"
        self._expect_refusal("GET", path, b"", signed, status=_NOT_FOUND)

    # Instructions

    def _instructions(self) -> Iterator[tuple[str, Callable[[], None]]]:
        yield "take an instruction once, also if it arrives eight times at once", self._at_once
        yield "know the same body with its members in another order", self._reordered
        yield "refuse the same id with another body (409)", self._other_instruction
        yield "answer 404 for an instruction that it never received", self._unknown_instruction
        yield "fail an unknown kind with not_supported (200)", self._unknown_kind
        yield "refuse a body that is no JSON (400)", self._unreadable

    def _at_once(self) -> None:
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            found = list(pool.map(lambda _: self._put_payout(self._payout), range(_AT_ONCE)))
        if len({one.provider_reference for one in found}) > 1:
            raise _Wrong("It answered with different provider references.")
        self._get(self._path("pay"), InstructionAnswer)

    def _reordered(self) -> None:
        first = self._put_payout(self._payout)
        again = self._put_payout(dict(reversed(self._payout.items())))
        if again.provider_reference != first.provider_reference:
            raise _Wrong("It answered with another provider reference.")

    def _other_instruction(self) -> None:
        self._put_payout(self._payout)
        changes: tuple[dict[str, Any], ...] = (
            {"amount": "2.00"},
            {"reference": "Another"},
            {"details": {}},
        )
        for change in changes:
            self._conflict(self._path("pay"), {**self._payout, **change})

    def _unknown_instruction(self) -> None:
        self._expect_unknown(self._path("none"))

    def _unknown_kind(self) -> None:
        body = {**self._payout, "kind": "chk_unknown"}
        found = self._put(self._path("kind"), body, InstructionAnswer)
        if (found.status, found.reason) != ("failed", "not_supported"):
            raise _Wrong(f"It answered {found.status} with the reason {found.reason}.")

    def _unreadable(self) -> None:
        path, body = self._path("bad"), b'{"kind":'
        self._expect_refusal("PUT", path, body, self._sign("PUT", path, body), status=_UNREADABLE)

    # Cards

    def _cards(self) -> Iterator[tuple[str, Callable[[], None]]]:
        yield "issue a card while the business waits", self._card_issued
        yield "answer the same card again", self._card_issued
        yield "refuse the same card with another body (409)", self._other_card
        yield "take on a new status once", self._changed
        yield "answer 404 for a new status of a card that is not its own", self._unknown_changed

    def _card_issued(self) -> None:
        found = self._put(self._path("crd", "cards"), self._card, CardAnswer)
        if found.status != "issued":
            raise _Wrong(f"It answered {found.status}.")
        if self._issued_card not in (None, found):
            raise _Wrong("It answered with another card.")
        self._issued_card = found

    def _other_card(self) -> None:
        self._conflict(self._path("crd", "cards"), {**self._card, "label": "Another"})

    def _changed(self) -> None:
        path = self._path("crd.1", "changes")
        for _ in range(2):
            self._put(path, self._change(self._path("crd")), InstructionAnswer)
        self._get(path, InstructionAnswer)

    def _unknown_changed(self) -> None:
        path, body = (
            self._path("none.1", "changes"),
            orjson.dumps(self._change(self._path("none"))),
        )
        self._expect_refusal("PUT", path, body, self._sign("PUT", path, body), status=_NOT_FOUND)

    def _change(self, path: str) -> dict[str, Any]:
        return {
            "environment": "test",
            "business": self._business,
            "object": path.rpartition("/")[2],
            "status": "frozen",
            "number": 1,
        }

    # Accounts

    def _accounts(self) -> Iterator[tuple[str, Callable[[], None]]]:
        yield "issue an account, or say that it is pending", self._issued
        yield "know the same account again", self._issued
        yield "refuse the same account with another body (409)", self._other_account
        yield "answer 404 for an account that it never received", self._unknown_account

    def _issued(self) -> None:
        path = self._path("vac", "accounts")
        found = self._put(path, self._account, AccountAnswer)
        if found.status == "issued" and not (found.account_number and found.bank_name):
            raise _Wrong("The account is issued without its number or bank.")
        again = self._get(path, AccountAnswer)
        if found.status == "issued" and again.account_number != found.account_number:
            raise _Wrong("GET answers with another account number than PUT.")

    def _other_account(self) -> None:
        self._conflict(self._path("vac", "accounts"), {**self._account, "account_name": "Other"})

    def _unknown_account(self) -> None:
        self._expect_unknown(self._path("none", "accounts"))

    # Statements

    def _money(self) -> Iterator[tuple[str, Callable[[], None]]]:
        yield f"complete or fail a payout within {self._patience:g} s", self._ends
        yield "list a completed payout once, and a failed one never", self._listed_once
        yield "add up: opening balance and movements are the closing balance", self._adds_up
        yield "go on with yesterday's closing balance", self._goes_on

    def _ends(self) -> None:
        self._put_payout(self._payout)
        until = time.monotonic() + self._patience
        while self._get(self._path("pay"), InstructionAnswer).status == "accepted":
            if time.monotonic() > until:
                raise _Wrong("It is still accepted.")
            time.sleep(_PAUSE)

    def _listed_once(self) -> None:
        name = self._path("pay").rpartition("/")[2]
        found = self._get(self._path("pay"), InstructionAnswer)
        days = {self._first_day, datetime.now(UTC).date()}
        moved = [one for day in days for one in self._statement(day).movements]
        amounts = [Decimal(one.amount) for one in moved if one.object == name]
        if found.status == "completed" and amounts != [-Decimal(_AMOUNT)]:
            listed = ", ".join(map(str, amounts)) or "nothing"
            raise _Wrong(f"The statement lists {listed} instead of -{_AMOUNT}.")
        if found.status != "completed" and amounts:
            raise _Wrong(f"The statement lists a payout that is {found.status}.")

    def _adds_up(self) -> None:
        for day in {self._first_day, datetime.now(UTC).date()}:
            if not self._statement(day).adds_up:
                raise _Wrong(f"The statement of {day} does not add up.")

    def _goes_on(self) -> None:
        today = datetime.now(UTC).date()
        before, after = self._statement(today - timedelta(days=1)), self._statement(today)
        if Decimal(before.closing) != Decimal(after.opening):
            raise _Wrong(f"It closed with {before.closing} and opened with {after.opening}.")

    def _statement(self, day: object) -> Statement:
        currency = self._common["currency"]
        path = f"/statements/{currency}/{day}?business={self._business}"
        found = self._get(path, Statement)
        if (found.business, found.currency) != (self._business, currency):
            raise _Wrong("The statement is about another business or currency.")
        if str(found.date) != str(day):
            raise _Wrong(f"The statement of {day} says that it is of {found.date}.")
        return found

    # Requests

    @property
    def _secret(self) -> str:
        return self._provider.secret_of_requests

    def _path(self, name: str, kind: str = "instructions") -> str:
        return f"/{kind}/{self._prefix}_{name}"

    def _sign(self, method: str, path: str, body: bytes) -> dict[str, str]:
        return signatures.headers(self._secret, f"{method} {path}", body)

    def _put_payout(self, body: Mapping[str, Any]) -> InstructionAnswer:
        return self._put(self._path("pay"), body, InstructionAnswer)

    def _put(self, path: str, body: Mapping[str, Any], shape: type[MessageT]) -> MessageT:
        return self._read("PUT", path, orjson.dumps(body), shape)

    def _get(self, path: str, shape: type[MessageT]) -> MessageT:
        return self._read("GET", path, b"", shape)

    def _read(self, method: str, path: str, body: bytes, shape: type[MessageT]) -> MessageT:
        signed = self._sign(method, path, body)
        status, content = http.exchange(self._provider, method, path, body, signed)
        if status != _OK:
            raise _Wrong(f"{method} answered {status} instead of {_OK}.")
        try:
            found = shape.model_validate_json(content)
        except ValidationError as error:
            where = ", ".join(".".join(map(str, one["loc"])) for one in error.errors())
            raise _Wrong(f"Its answer cannot be read at: {where or 'the body'}.") from None
        if isinstance(found, InstructionAnswer | AccountAnswer):
            _require_its_own(found, path.rpartition("/")[2])
        return found

    def _expect_refusal(
        self, method: str, path: str, body: bytes, signed: Mapping[str, str], *, status: int
    ) -> None:
        answered, content = http.exchange(self._provider, method, path, body, signed)
        if answered != status:
            raise _Wrong(f"{method} answered {answered} instead of {status}.")
        try:
            error = orjson.loads(content)["error"]
            is_described = isinstance(error["code"], str) and isinstance(error["message"], str)
        except (orjson.JSONDecodeError, KeyError, TypeError):
            is_described = False
        if not is_described:
            raise _Wrong(f"The answer {status} has no error with a code and a message.")

    def _conflict(self, path: str, body: Mapping[str, Any]) -> None:
        data = orjson.dumps(body)
        self._expect_refusal("PUT", path, data, self._sign("PUT", path, data), status=_CONFLICT)

    def _expect_unknown(self, path: str) -> None:
        self._expect_refusal("GET", path, b"", self._sign("GET", path, b""), status=_NOT_FOUND)


def _require_its_own(found: InstructionAnswer | AccountAnswer, identifier: str) -> None:
    if found.id != identifier:
        raise _Wrong("It answered about another id.")
    if found.status in ("failed", "refused") and not found.reason:
        raise _Wrong(f"It is {found.status} without a reason.")
