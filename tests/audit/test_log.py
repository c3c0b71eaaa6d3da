"""The audit log: written with the change, chained after commit, and every break is found."""

import json
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management import CommandError, call_command
from django.db import DataError, IntegrityError, connection, transaction
from django.test import Client

from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.audit import chain, history, log
from console.audit.models import ChainHead, ChainLink, Entry
from tests import factories
from tests.databases import as_owner
from tests.proofs import Proven, is_full, proof

WRITERS = 16
COMMITS = pytest.mark.django_db(transaction=True)


def write(count=1):
    business = factories.a_business()
    for number in range(count):
        with transaction.atomic():
            log.record("business.renamed", business, by=SYSTEM, after={"number": number})
    return business


def tamper(*statements):
    """Bypass every trigger, as only the database owner can."""
    with as_owner() as owner:
        owner.execute("SET LOCAL session_replication_role = replica")
        for statement in statements:
            owner.execute(statement)


def test_an_entry_says_who_did_what_to_which_thing():
    owner = factories.a_person("Amara Okafor")
    business = factories.a_business(owner=owner)
    entry = Entry.objects.get(code="business.registered")
    body = json.loads(entry.body)["body"]

    assert (entry.actor_id, entry.actor_name) == (owner.public_id, "Amara Okafor")
    assert body["subject"] == {"type": "business", "id": business.public_id}
    assert body["after"] == {"name": "Acme Limited"}


@COMMITS
def test_it_is_written_inside_the_change_or_not_at_all():
    with pytest.raises(AssertionError, match="outside a transaction"):
        log.record("business.renamed", factories.a_business(), by=SYSTEM)


@COMMITS
def test_a_change_that_fails_leaves_no_line_and_no_gap():
    write(1)
    with pytest.raises(ZeroDivisionError), transaction.atomic():  # noqa: PT012
        log.record("business.renamed", factories.a_business(), by=SYSTEM)
        1 / 0  # noqa: B018
    write(1)

    assert chain.verify() == []
    assert list(ChainLink.objects.order_by("seq").values_list("seq", flat=True)) == [
        1,
        2,
        3,
        4,
        5,
        6,
    ]


def rewritten(body):
    """Replace the body of the last entry, with the matching hash."""
    last = "(SELECT entry_id FROM audit_link ORDER BY seq DESC LIMIT 1)"
    return [
        f"UPDATE audit_entry SET body = '{body}' WHERE id = {last}",
        f"UPDATE audit_link SET hash = encode(sha256(convert_to(prev || '{body}', 'UTF8')), 'hex')"
        f" WHERE entry_id = {last}",
        "UPDATE audit_head SET hash = (SELECT hash FROM audit_link ORDER BY seq DESC LIMIT 1)",
    ]


BREAKS = {
    "an edited entry": (
        ["UPDATE audit_entry SET body = replace(body, '\"number\":2', '\"number\":9')"],
        "changed",
    ),
    "an edited column": (
        ["UPDATE audit_entry SET code = 'x' WHERE id = (SELECT max(id) FROM audit_entry)"],
        "column",
    ),
    "a forged entry in a chain of its own": (
        [
            "INSERT INTO audit_entry (public_id, at, code, actor_id, actor_name, business_id,"
            " subject_type, subject_id, request_id, body)"
            " SELECT 'aud_forged', at, code, actor_id, actor_name, business_id,"
            " subject_type, subject_id, request_id, body FROM audit_entry LIMIT 1",
            "INSERT INTO audit_link (chain, seq, entry_id, prev, hash)"
            " SELECT 'x', 1, max(id), 'x', 'y' FROM audit_entry",
        ],
        "not in the chain",
    ),
    "a deletion in the middle": (
        [
            "DELETE FROM audit_link WHERE seq = 3",
            "DELETE FROM audit_entry WHERE NOT EXISTS"
            " (SELECT FROM audit_link WHERE entry_id = audit_entry.id)",
        ],
        "missing",
    ),
    "an entry without its link": (
        ["DELETE FROM audit_link WHERE seq = 3"],
        "missing|not in the chain",
    ),
    "two entries in each other's place": (
        [
            "UPDATE audit_link SET seq = -seq WHERE seq IN (3, 4)",
            "UPDATE audit_link SET seq = 7 + seq WHERE seq < 0",
        ],
        "follow",
    ),
    "a forged insert": (
        [
            "INSERT INTO audit_entry (public_id, at, code, actor_id, actor_name, business_id,"
            " subject_type, subject_id, request_id, body)"
            " SELECT 'aud_forged', at, code, actor_id, actor_name, business_id,"
            " subject_type, subject_id, request_id, body FROM audit_entry LIMIT 1",
        ],
        "not in the chain",
    ),
    "an entry that is not JSON": (rewritten("no JSON at all"), "cannot be read"),
    "an entry that is half of itself": (rewritten('{"body":{"id":"aud_1"}}'), "cannot be read"),
    "an entry that is a list": (rewritten('{"body":[1,2]}'), "cannot be read"),
    "an entry nested beyond reading": (rewritten("[" * 3000 + "]" * 3000), "cannot be read"),
    "a moment that is no moment": (
        ["UPDATE audit_entry SET at = 'infinity' WHERE id = (SELECT max(id) FROM audit_entry)"],
        "column",
    ),
    "a forged link at the end": (
        [
            "INSERT INTO audit_link (chain, seq, entry_id, prev, hash)"
            " SELECT 'main', 99, max(id) + 1, 'x', 'y' FROM audit_entry"
        ],
        "missing",
    ),
}


@COMMITS
@pytest.mark.parametrize("name", BREAKS)
def test_it_finds(name):
    write(4)
    assert chain.verify() == []
    statements, words = BREAKS[name]

    tamper(*statements)

    found = "; ".join(one.what for one in chain.verify())
    assert any(word in found for word in words.split("|")), found


@COMMITS
def test_who_writes_meanwhile_breaks_nothing():
    business, stop = write(200), threading.Event()

    def work():
        try:
            while not stop.is_set():
                with transaction.atomic():
                    log.record("business.renamed", business, by=SYSTEM)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(work)
        findings = [found for _ in range(20) for found in chain.verify()]
        stop.set()

    assert findings == []


@COMMITS
def test_the_command_says_whole_or_broken(capsys):
    write(2)
    call_command("audit", "verify")
    assert "whole: 4 entries" in capsys.readouterr().out
    call_command("audit", "head")
    assert json.loads(capsys.readouterr().out)["count"] == 4

    tamper("DELETE FROM audit_link WHERE seq = 2")
    with pytest.raises(CommandError, match="broken"):
        call_command("audit", "verify")


COLUMNS = (
    *("public_id", "at", "code", "actor_id", "actor_name", "business_id"),
    *("subject_type", "subject_id", "request_id", "body"),
)


def plant(change):
    """Insert an entry as the site's role, consistent with itself except for the change."""
    like = Entry.objects.order_by("pk").last()
    row = {column: getattr(like, column) for column in COLUMNS} | {"public_id": "aud_planted"}
    row["body"] = row["body"].replace(like.public_id, "aud_planted")
    row |= change(row["body"])
    with connection.cursor() as cursor:
        places = ", ".join(["%s"] * len(COLUMNS))
        cursor.execute(
            f"INSERT INTO audit_entry ({', '.join(COLUMNS)}) VALUES ({places})",
            [row[column] for column in COLUMNS],
        )


def said(number):
    return lambda body: {"body": body.replace('"number":0', f'"number":{number}')}


REFUSED = {
    "no JSON": lambda body: {"body": "no JSON at all"},
    "another code": lambda body: {"code": "another"},
    "another moment": lambda body: {"at": "2026-01-01T00:00:00+00:00"},
    "no moment": lambda body: {"at": "infinity"},
    "a list": lambda body: {"body": f"[{body}]"},
    "no actor": lambda body: {"body": body.replace('"actor":', '"actress":')},
    "a number for a text": lambda body: {
        "actor_id": "5",
        "body": re.sub('"actor":{"id":"[^"]*"', '"actor":{"id":5', body),
    },
    "a number without end": said("1e400"),
    "a number that some readers round": said(2**53),
    "a fraction": said("1.5"),
    "a nesting without end": said("[" * 1024 + "]" * 1024),
    "a nesting that nobody writes": said("[" * 32 + "]" * 32),
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_database_refuses_an_entry_that_cannot_be_read(name):
    write(1)
    with pytest.raises((DataError, IntegrityError)), transaction.atomic():
        plant(REFUSED[name])


@COMMITS
@pytest.mark.parametrize("number", ["1", str(-(2**53) + 1), "[[[[1]]]]", '"1e400"', "null", "true"])
def test_the_database_takes_what_every_reader_can(number):
    write(1)
    plant(said(number))
    assert chain.verify() == []


@COMMITS
def test_an_entry_that_cannot_be_read_breaks_no_page():
    business = write(1)
    chain.link()
    tamper(*rewritten("no JSON at all"))
    (line, *_) = history.lines(history.about([business.public_id]))
    assert line.body == {}
    client = factories.signed_in(Client(), factories.one_of_staff(Role.AUDITOR))
    assert client.get("/audit/").status_code == 200


def test_the_head_begins_at_nothing():
    assert ChainHead.objects.get(chain="main").hash == "0" * 64


@COMMITS
@proof("R7", "the log under 16 writers, and its check", small=320, full=1_000_000)
def test_the_log_keeps_up_and_is_checked_quickly(proven: Proven):
    """`make prove` measures speed; `make test` only checks that the same code is right."""
    business = factories.a_business()
    each = min(proven.size, 16_000) // WRITERS

    def work(_):
        try:
            for number in range(each):
                with transaction.atomic():
                    log.record("business.renamed", business, by=SYSTEM, after={"n": number})
        finally:
            connection.close()

    began = time.perf_counter()
    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(work, range(WRITERS)))
    chain.link()
    rate = each * WRITERS / (time.perf_counter() - began)
    fill(proven.size - each * WRITERS)
    chain.link()  # a job of every five seconds does it, so it is no part of the check

    began = time.perf_counter()
    findings = chain.verify()
    took = time.perf_counter() - began
    assert findings == []
    fast = not is_full() or (rate >= 1000 and took <= 60)
    proven.reached(f"{rate:,.0f} entries/s, {proven.size:,} verified in {took:.1f} s", met=fast)


def fill(count):
    """Extend the log by copies of its last entry, which are linked as any other."""
    with connection.cursor() as cursor:
        for begin in range(0, count, PIECE):
            cursor.execute(COPIES, [begin + 1, min(begin + PIECE, count)])


PIECE = 5000


COPIES = """
INSERT INTO audit_entry (public_id, at, code, actor_id, actor_name, business_id, subject_type,
  subject_id, request_id, body)
SELECT new.id, at, code, actor_id, actor_name, business_id, subject_type, subject_id, request_id,
  replace(body, public_id, new.id)
FROM (SELECT * FROM audit_entry ORDER BY id DESC LIMIT 1) AS last,
  (SELECT 'aud_' || lpad(n::text, 26, '0') AS id FROM generate_series(%s::int, %s::int) AS n) AS new
"""
