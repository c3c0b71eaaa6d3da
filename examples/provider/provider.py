"""The reference provider: a simulated bank that speaks the provider protocol, version 1.

It moves no money. It is one file on aiohttp and SQLite that imports nothing of the console: read it
beside `docs/providers.md`. The page at `/` shows accounts, instructions and statements, and lets
you play payers and the bank. It has no login, so the program listens on 127.0.0.1 only.

    PROVIDER_REQUEST_SECRET  signs the console's requests: whsec_ and base64
    PROVIDER_EVENT_SECRET    signs our events; both may name several secrets, separated by blanks
    PROVIDER_PORT            the port, 8900 if not set
    PROVIDER_DATA            the SQLite file, provider.sqlite3 if not set
    CONSOLE_URL              the console, http://localhost:8000 if not set
    PROVIDER_NAME            our name in the console's settings, bank if not set
    PROVIDER_DELAY           seconds until an accepted instruction completes, 2 if not set

An instruction is answered with `accepted`, and an event says later that it completed. The decimals
of its amount, or a choice on the page for the next instruction or account, change that:

    .44  it fails with `rejected_by_bank`
    .45  it takes 30 times as long, unless somebody decides on the page
    .46  it completes at once, but the answer is lost and no event says so
    .47  its event is sent twice
    .48  a second event with the same news overtakes the first one
    .49  the first request is answered with 500 and does nothing

What belongs to the environment `test` causes no events, because no business asked for it.
"""

import asyncio
import base64
import hmac
import json
import os
import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from decimal import Decimal
from html import escape
from typing import Any

from aiohttp import ClientError, ClientSession, ClientTimeout, web

BANK, CONSOLE = "Reference Bank (simulated)", "http://localhost:8000"
TOLERANCE, RETRY_FOR, LONGEST_PAUSE = 300, 3 * 24 * 3600, 3600
DECIMALS = __doc__[__doc__.index("    .44") : __doc__.index("What belongs")].rstrip()
KINDS = {"payout", "transfer", "payroll_run", "refund", "conversion"}
FAIL, SLOW, LOSE, DOUBLE, OVERTAKE, ERROR = CHOICES = ("44", "45", "46", "47", "48", "49")
WAITING, ZERO = ("accepted", "pending"), Decimal("0.00")
WORD, TEXT = re.compile("[A-Za-z0-9_.:-]{1,140}"), re.compile(".*", re.DOTALL)
AMOUNT = re.compile(r"(0|[1-9][0-9]{0,17})(\.[0-9]{1,8})?")
WHOSE = {"environment": WORD, "business": WORD}
BOTH = WHOSE | {"currency": WORD}
RULES = {
    "instructions": BOTH | {"kind": TEXT, "amount": AMOUNT, "reference": TEXT, "created_at": TEXT},
    "accounts": BOTH | {"account_name": TEXT},
    "cards": BOTH | {"card_type": WORD},
    "changes": WHOSE | {"object": WORD, "status": WORD},
    "conversion": {"to_currency": WORD, "to_amount": AMOUNT},
}
NAME = re.compile(".+")
PAID = {  # what people pay on the page, and the event of it
    "accounts": (
        "deposit.received",
        {"amount": AMOUNT, "payer_name": NAME, "source_reference": TEXT},
    ),
    "cards": ("card.used", {"amount": AMOUNT, "merchant_name": NAME}),
}
SCHEMA = """PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS objects (number INTEGER PRIMARY KEY, path TEXT, id TEXT, body TEXT,
    status TEXT, reason TEXT, reference TEXT, choice TEXT, due REAL, UNIQUE (path, id));
CREATE TABLE IF NOT EXISTS movements (number INTEGER PRIMARY KEY, business TEXT, currency TEXT,
    object TEXT, account TEXT, provider_reference TEXT, amount TEXT, at TEXT);
CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, object TEXT, sequence INTEGER, body TEXT,
    made REAL, due REAL, copies INTEGER, tries INTEGER, answer TEXT, UNIQUE (object, sequence));
CREATE INDEX IF NOT EXISTS waiting ON objects (due);
CREATE INDEX IF NOT EXISTS balances ON movements (business, currency);
CREATE INDEX IF NOT EXISTS unsent ON events (due);"""


def setting(name: str, default: str = "") -> str:
    return os.environ.get(f"PROVIDER_{name}", default)


def stamp(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def signature(secret: str, identifier: str, timestamp: str, body: bytes) -> str:
    """Return a signature as Standard Webhooks defines it."""
    key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    signed = hmac.digest(key, f"{identifier}.{timestamp}.".encode() + body, "sha256")
    return "v1," + base64.b64encode(signed).decode()


def account_number(count: int, currency: str) -> str:
    """Return ten digits, or for EUR an IBAN of Lithuania and of a bank that does not exist."""
    digits = f"8{count * 618_033_989 % 10**9:09}"
    if currency != "EUR":
        return digits
    digits = f"99998{digits:0>11}"  # L and T are 21 and 29 in the check digits
    return f"LT{98 - int(f'{digits}212900') % 97:02}{digits}"


class Bank:
    """The books. Callers say `with bank.rows`, so that a kill leaves nothing half done."""

    def __init__(self, file: str, delay: float) -> None:
        self.delay, self.next, self.refused_once = delay, "", set[str]()
        self.rows = sqlite3.connect(file)
        self.rows.row_factory = sqlite3.Row
        self.rows.executescript(SCHEMA)

    def all(self, query: str, *values: object) -> list[sqlite3.Row]:
        return self.rows.execute(query, values).fetchall()

    def find(self, path: str, identifier: str) -> sqlite3.Row | None:
        found = self.all("SELECT * FROM objects WHERE path = ? AND id = ?", path, identifier)
        return found[0] if found else None

    def take(self, path: str, identifier: str, body: dict[str, Any]) -> str:
        """Take on what is asked for if it is new, and return what happens to it."""
        row, text = self.find(path, identifier), json.dumps(body, sort_keys=True)
        if row:
            if row["body"] != text:
                raise Refused(409, "conflict", f"{identifier} exists with another body.")
            return ""
        if path == "changes" and not self.place(body["object"]):
            raise Refused(404, "not_found", f"{body['object']} is no account or card of ours.")
        moves, acts = path == "instructions", path in ("instructions", "changes")
        decimals = body["amount"].partition(".")[2].rstrip("0") if moves else ""
        choice, self.next = self.next or decimals, ""
        if choice == ERROR and identifier not in self.refused_once:
            self.refused_once.add(identifier)
            raise Refused(500, "simulated", "Simulated failure: nothing was done.")
        due = time.time() + self.delay * (30 if choice == SLOW else 1)
        number = 1 + (self.all("SELECT max(number) FROM objects")[0][0] or 0)
        currency = body["currency"] if path == "accounts" else ""
        reference = f"BNK-{number}" if acts else account_number(number, currency)
        values = number, path, identifier, text, WAITING[not acts], reference, choice, due
        self.rows.execute("INSERT INTO objects VALUES (?, ?, ?, ?, ?, NULL, ?, ?, ?)", values)
        if moves and body["kind"] not in KINDS:
            self.settle(path, identifier, "not_supported", tell=False)
        elif choice == LOSE or (not moves and choice not in (FAIL, SLOW)):
            self.settle(path, identifier, tell=False)
        return choice

    def settle(self, path: str, identifier: str, reason: str = "", *, tell: bool = True) -> None:
        """Complete what waits, or fail it with a reason, and tell the console."""
        row = self.find(path, identifier)
        if row is None or row["status"] not in WAITING:
            return
        body, moves, reference = json.loads(row["body"]), path == "instructions", row["reference"]
        acts = path in ("instructions", "changes")
        status = ("issued", "refused", "completed", "failed")[2 * acts + bool(reason)]
        query = "UPDATE objects SET status = ?, reason = ?, due = NULL WHERE number = ?"
        self.rows.execute(query, (status, reason or None, row["number"]))
        data = {"provider_reference": reference}
        if reason:
            data = {"reason": reason}
        elif path == "accounts":
            data = {"account_number": reference, "bank_name": BANK}
        elif moves:
            self.move(body, f"-{body['amount']}", identifier, None, reference)
            if body["kind"] == "conversion":
                to = body | {"currency": body["details"]["to_currency"]}
                self.move(to, body["details"]["to_amount"], identifier, None, reference)
        if tell and path in ("instructions", "accounts") and body["environment"] != "test":
            for late in (5, 0) if row["choice"] == OVERTAKE else (0,):
                copies = 1 + (row["choice"] == DOUBLE)
                self.tell(f"{path[:-1]}.{status}", identifier, data, late=late, copies=copies)

    def place(self, identifier: str) -> sqlite3.Row | None:
        """Return the account or card of that id."""
        return self.find("accounts", identifier) or self.find("cards", identifier)

    def status(self, row: sqlite3.Row) -> str:
        """Return the status of an account or card that the console told last."""
        query = "SELECT body FROM objects WHERE path = 'changes' AND id LIKE ?"
        told = [json.loads(one["body"]) for one in self.all(query, f"{row['id']}.%")]
        newest = max(told, key=lambda one: one["number"], default={"status": row["status"]})
        return str(newest["status"])

    def pay(self, identifier: str, sent: dict[str, str]) -> None:
        """Let a payer pay into an account, or a holder use a card."""
        row, do = self.place(identifier), sent.get("do")
        if row is None or row["status"] != "issued":
            raise Refused(400, "invalid", "There is no such account or card.")
        if row["path"] == "cards" and do in ("Activate", "Terminate"):
            self.tell(f"card.{do.lower()}d", identifier, {})
            return
        (kind, rules), body = PAID[row["path"]], json.loads(row["body"])
        if self.status(row) in ("closed", "frozen", "terminated") or wrong_in(rules, sent):
            raise Refused(400, "invalid", "It is closed or frozen, or this is no amount.")
        reference, sign = f"BNK-{os.urandom(6).hex()}", "-" if row["path"] == "cards" else ""
        self.move(body, sign + sent["amount"], None, identifier, reference)
        data = {name: sent[name] for name in rules} | {"currency": body["currency"]}
        self.tell(kind, identifier, data | {"provider_reference": reference})

    def move(self, body: dict[str, Any], amount: str, *about: str | None) -> None:
        values = body["business"], body["currency"], *about, amount, stamp(time.time())
        self.rows.execute("INSERT INTO movements VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", values)

    def tell(self, kind: str, about: str, data: Any, *, late: int = 0, copies: int = 1) -> None:
        now, identifier = time.time(), f"evt_{os.urandom(12).hex()}"
        last = self.all("SELECT max(sequence) FROM events WHERE object = ?", about)[0][0] or 0
        body = {"id": identifier, "sequence": last + 1, "type": kind, "object": about}
        text = json.dumps(body | {"occurred_at": stamp(now), "data": data})
        values = identifier, about, last + 1, text, now, now + late, copies
        self.rows.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, 0, '')", values)

    def statement(self, business: str, currency: str, day: str) -> dict[str, Any]:
        query = "SELECT * FROM movements WHERE business = ? AND currency = ? ORDER BY number"
        rows = self.all(query, business, currency)
        opening = sum((Decimal(row["amount"]) for row in rows if row["at"][:10] < day), ZERO)
        today = [row for row in rows if row["at"][:10] == day]
        closing = sum((Decimal(row["amount"]) for row in today), opening)
        names = "object", "account", "provider_reference", "amount", "at"
        moved = [{name: row[name] for name in names} for row in today]
        said = {"business": business, "currency": currency, "date": day, "movements": moved}
        return said | {"opening": f"{opening:f}", "closing": f"{closing:f}"}


BOOKS = web.AppKey("books", Bank)


class Refused(Exception):
    """Carries the status, code and message of an error."""


def wrong_in(rules: dict[str, re.Pattern[str]], body: Any) -> list[str]:
    if not isinstance(body, dict):
        return ["an object"]
    texts = {name: body[name] for name in rules if isinstance(body.get(name), str)}
    return [name for name in rules if name not in texts or not rules[name].fullmatch(texts[name])]


async def read(request: web.Request, path: str) -> dict[str, Any]:
    try:
        body: dict[str, Any] = json.loads(await request.read())
        json.dumps(body, ensure_ascii=False, allow_nan=False).encode()  # no half characters
    except (ValueError, RecursionError):
        raise Refused(400, "unreadable", "The body is not JSON.") from None
    wrong = wrong_in(RULES[path], body)
    if path == "instructions" and not wrong:
        rules = RULES["conversion"] if body["kind"] == "conversion" else {}
        wrong = wrong_in(rules, body.get("details"))
    if wrong:
        raise Refused(400, "invalid", f"Missing or of another form: {', '.join(wrong)}.")
    return body


async def answer(request: web.Request) -> web.Response:
    bank, path, identifier = request.app[BOOKS], *request.match_info.values()
    if request.method == "PUT":
        body = await read(request, path)
        with bank.rows:
            choice = bank.take(path, identifier, body)
        if choice == LOSE and request.transport:
            request.transport.abort()
    row = bank.find(path, identifier)
    if row is None:
        raise Refused(404, "not_found", "We never received it.")
    said = {name: row[name] for name in ("id", "status", "reason")}
    if path in ("instructions", "changes"):
        return web.json_response({**said, "provider_reference": row["reference"]})
    if path == "cards":
        digits = {"last4": row["reference"][-4:], "expiry_month": 12, "expiry_year": 2031}
        return web.json_response(said | (digits if row["status"] == "issued" else {}))
    number = row["reference"] if row["status"] == "issued" else ""
    return web.json_response({**said, "account_number": number, "bank_name": BANK})


async def day_of(request: web.Request) -> web.Response:
    currency, day = request.match_info.values()
    with suppress(ValueError, KeyError):
        business = request.query["business"]
        if WORD.fullmatch(business) and date.fromisoformat(day).isoformat() == day:
            return web.json_response(request.app[BOOKS].statement(business, currency, day))
    raise Refused(400, "invalid", "The date is not a date, or business is missing.")


def check(request: web.Request, body: bytes) -> None:
    """Refuse forms that other sites send, and calls without the console's signature."""
    found = request.headers
    if request.path == "/" or request.path.startswith("/page/"):
        local = re.fullmatch(r"(127\.0\.0\.1|localhost)(:[0-9]+)?", request.host)
        if not local or found.get("Origin", f"http://{request.host}") != f"http://{request.host}":
            raise Refused(403, "other_site", "This page is for people at this machine.")
        return
    named, sent = found.get("webhook-id", ""), found.get("webhook-timestamp", "")
    if named != f"{request.method} {request.raw_path}":
        raise Refused(401, "other_request", "webhook-id is not this method and path.")
    if not re.fullmatch("[0-9]{1,12}", sent) or abs(time.time() - int(sent)) > TOLERANCE:
        raise Refused(401, "old", f"webhook-timestamp is not within {TOLERANCE} s of our clock.")
    given = found.get("webhook-signature", "").encode(errors="replace").split()
    right = [signature(one, named, sent, body) for one in setting("REQUEST_SECRET").split()]
    if not any(hmac.compare_digest(a, b.encode()) for a in given for b in right):
        raise Refused(401, "signature", "No signature in webhook-signature is right.")


@web.middleware
async def guard(request: web.Request, handler: Callable[[web.Request], Any]) -> Any:
    try:
        check(request, await request.read())
        return await handler(request)
    except Refused as refused:
        status, code, message = refused.args
    except web.HTTPClientError as error:
        status, code, message = error.status, "refused", error.reason
    return web.json_response({"error": {"code": code, "message": message}}, status=status)


async def work(bank: Bank) -> None:
    """Complete what is due and send what is unsent, for ever."""
    async with ClientSession(timeout=ClientTimeout(5)) as session:
        while True:
            for row in bank.all("SELECT * FROM objects WHERE due <= ?", time.time()):
                with bank.rows:
                    failed = "rejected_by_bank" if row["choice"] == FAIL else ""
                    bank.settle(row["path"], row["id"], failed)
            unsent = "SELECT * FROM events WHERE due <= ? ORDER BY due LIMIT 100"
            events = bank.all(unsent, time.time())
            await asyncio.gather(*(send(bank, session, event) for event in events))
            await asyncio.sleep(0 if events else 0.1)


async def send(bank: Bank, session: ClientSession, event: sqlite3.Row) -> None:
    """Send an event once. The time is of the attempt, so that an old event is not refused."""
    body, now = event["body"].encode(), str(int(time.time()))
    secrets, console = setting("EVENT_SECRET").split(), os.environ.get("CONSOLE_URL", CONSOLE)
    signed = " ".join(signature(secret, event["id"], now, body) for secret in secrets)
    headers = {"webhook-id": event["id"], "webhook-timestamp": now, "webhook-signature": signed}
    headers["Content-Type"] = "application/json"
    url = f"{console.rstrip('/')}/providers/{setting('NAME', 'bank')}/events"
    try:
        async with session.post(url, data=body, headers=headers, allow_redirects=False) as reply:
            answer = str(reply.status)
    except (ClientError, TimeoutError) as error:
        answer = type(error).__name__
    stored = answer in ("200", "202")
    pause = 0 if stored else min(2 ** min(event["tries"], 20), LONGEST_PAUSE)
    due, copies = time.time() + pause, event["copies"] - stored
    # 401 may end with a new secret, 429 with time, and other refusals not at all.
    refused = answer.startswith("4") and answer not in ("401", "429")
    is_final = not copies or refused or due > event["made"] + RETRY_FOR
    query = "UPDATE events SET due = ?, tries = tries + 1, copies = ?, answer = ? WHERE id = ?"
    with bank.rows:
        bank.rows.execute(query, (None if is_final else due, copies, answer, event["id"]))


STYLE = """:root{color-scheme:light dark;--line:light-dark(#ccd,#445)}pre{white-space:pre-wrap}
body{font:16px/1.5 system-ui;max-width:60rem;margin:auto;padding:1rem;overflow-wrap:anywhere}
[role=note]{border:2px solid #b60;border-radius:8px;padding:.5rem 1rem}h2{margin:2rem 0 .5rem}
li{display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:.75rem 0;border-top:1px solid var(--line)}
ul{list-style:none;padding:0;margin:0}form{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end}
input,select,button{font:inherit;padding:.3rem .6rem;max-width:11rem}"""
PAY = """<label>Amount<br><input name="amount" value="100.00"></label><label>Payer<br>
<input name="payer_name" value="A Payer Ltd"></label><label>Reference<br>
<input name="source_reference" value="INV 1"></label>"""
USE = """<label>Amount<br><input name="amount" value="10.00"></label><label>Merchant<br>
<input name="merchant_name" value="A Shop"></label>"""


FACTS = "kind", "account_name", "card_type", "amount", "currency", "object", "status", "business"


def item(*facts: object, form: str = "") -> str:
    return f"<li>{''.join(f'<span>{escape(str(one))}</span>' for one in facts if one)}{form}</li>"


def form(action: str, fields: str, *buttons: str) -> str:
    pressed = "".join(f'<button name="do" value="{one}">{one}</button>' for one in buttons)
    return f'<form method="post" action="/page/{action}">{fields}{pressed}</form>'


async def page(request: web.Request) -> web.Response:
    bank, day = request.app[BOOKS], stamp(time.time())[:10]
    names = "Accounts", "Cards", "Instructions", "Changes", "Statements of today"
    lists: dict[str, list[str]] = {name: [] for name in names}
    for row in bank.all("SELECT * FROM objects ORDER BY number DESC LIMIT 200"):
        body = dict.fromkeys(FACTS, "") | json.loads(row["body"])
        shown, place = "", f"pay/{row['id']}"
        if row["status"] == "issued":
            cards = form(place, USE, "Use", "Activate", "Terminate")
            shown = cards if row["path"] == "cards" else form(place, PAY, "Pay in")
        if row["status"] in WAITING:
            shown = form(f"decide/{row['path']}/{row['id']}", "", "Complete", "Fail")
        named = [body[name] for name in FACTS]
        facts = row["id"], *named, row["reference"], row["status"], row["reason"]
        lists[row["path"].capitalize()].append(item(*facts, form=shown))
    for row in bank.all("SELECT DISTINCT business, currency FROM movements LIMIT 50"):
        said = bank.statement(row["business"], row["currency"], day)
        moved = [item(*one.values()) for one in said["movements"][-20:]]
        balances = f"opening {said['opening']}", f"closing {said['closing']}"
        lists["Statements of today"] += [item(*row, *balances), *moved]
    lists["Events to the console"] = [
        item(row["body"], f"answer: {row['answer']}", row["due"] and "will be sent again")
        for row in bank.all("SELECT * FROM events ORDER BY made DESC LIMIT 30")
    ]
    shown = "".join(f"<h2>{name}</h2><ul>{''.join(of)}</ul>" for name, of in lists.items())
    options = "".join(f"<option{' selected' * (x == bank.next)}>{x}" for x in ("", *CHOICES))
    choose = f'<label>Treat the next like .<select name="choice">{options}</select></label>'
    text = f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>{BANK}</title>
<meta name="viewport" content="width=device-width"><style>{STYLE}</style>
<main><h1>{BANK}</h1><p role="note"><b>SIMULATED</b>: no money moves. You play payers and the bank.
<pre>{DECIMALS}</pre>{form("next", choose, "Set")}{shown}</main></html>"""
    return web.Response(text=text, content_type="text/html")


async def press(request: web.Request) -> web.Response:
    bank = request.app[BOOKS]
    said = {name: str(value) for name, value in (await request.post()).items()}
    with bank.rows:
        match request.match_info["what"].split("/"):
            case ["next"]:
                bank.next = said["choice"] if said.get("choice") in CHOICES else ""
            case ["pay", identifier]:
                bank.pay(identifier, said)
            case ["decide", path, identifier]:
                bank.settle(path, identifier, "rejected_by_bank" * (said.get("do") == "Fail"))
    raise web.HTTPSeeOther("/")


async def main() -> None:
    app = web.Application(middlewares=[guard])
    app[BOOKS] = Bank(setting("DATA", "provider.sqlite3"), float(setting("DELAY", "2")))
    place = "/{path:instructions|accounts|cards|changes}/{id:[A-Za-z0-9_.:-]{1,140}}"
    app.add_routes([web.put(place, answer), web.get(place, answer), web.get("/", page)])
    app.add_routes([web.get("/statements/{of}/{day}", day_of), web.post("/page/{what:.+}", press)])
    runner, port = web.AppRunner(app, access_log=None), int(setting("PORT", "8900"))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    print(f"Simulated bank on http://127.0.0.1:{port}/", flush=True)
    await work(app[BOOKS])


if __name__ == "__main__":
    if not (setting("REQUEST_SECRET") and setting("EVENT_SECRET")):
        raise SystemExit("Set PROVIDER_REQUEST_SECRET and PROVIDER_EVENT_SECRET, as whsec_...")
    with suppress(KeyboardInterrupt):
        asyncio.run(main())
