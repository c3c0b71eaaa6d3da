"""List pages send as many statements for few rows as for many, and read no big table whole."""

import json
import math
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from api.demo import load
from apikeys.models import Grant
from benchmarks import list_pages
from benchmarks.list_pages import ListPage
from console.accounts.models import Business
from console.audit import chain
from onboarding.models import Application
from tests import databases, factories

FEW, MANY = 100, 10_000
# A page may send at most so many statements. Background work gathers the state of every part.
MOST = 12
SUMMARIES = {"background work", "home, operator"}
# Tables with at least as many rows must not be read whole.
BIG = 1_000
# The most blocks that a statement may read: it reads rows of one page, not of the whole list.
BLOCKS = 3_000
# Nodes that stop reading once enough rows are found.
_PASSED_ON = ("Append", "Merge Append", "Subquery Scan", "Result", "Nested Loop")
_SIZES = "SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples >= %s"


def generate(count: int) -> None:
    with databases.as_owner() as owner:
        load.generate(owner, count, lambda said: None)
    with databases.as_owner(autocommit=True) as owner:
        owner.execute("VACUUM ANALYZE")  # plans must not depend on what earlier tests left


def statements(page: ListPage) -> list[str]:
    """Return the statements that read, of the second call: the first fills caches."""
    assert page.client.get(page.path).status_code == 200, page.path
    with CaptureQueriesContext(connection) as asked:
        page.client.get(page.path)
    return [one["sql"] for one in asked if one["sql"].startswith(("SELECT", "(SELECT"))]


def scanned(plan: dict[str, Any], most: float = math.inf) -> set[str]:
    """Return the tables that a plan reads whole: not those where a limit of `most` rows ends it."""
    if plan["Node Type"] == "Seq Scan":
        return {plan["Relation Name"]} if plan["Plan Rows"] < most else set()
    if plan["Node Type"] == "Limit":
        most = plan["Plan Rows"] + 1
    elif plan["Node Type"] not in _PASSED_ON:
        most = math.inf
    return set[str]().union(*(scanned(part, most) for part in plan.get("Plans", ())))


def executed(sql: str) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}")
        ((said,),) = cursor.fetchall()
    return (json.loads(said) if isinstance(said, str) else said)[0]["Plan"]


def blocks(plan: dict[str, Any]) -> int:
    return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]


@pytest.mark.django_db(transaction=True)
def test_a_long_list_costs_as_many_statements_and_reads_no_table_whole(monkeypatch):
    monkeypatch.setattr(load, "LOGGED", 1)  # ten times as many take their time
    generate(FEW)
    few = {name: len(statements(page)) for name, page in list_pages.every().items()}
    assert {name for name, asked in few.items() if asked > MOST} <= SUMMARIES
    generate(MANY)
    with connection.cursor() as cursor:
        cursor.execute(_SIZES, [BIG])
        big = {name for (name,) in cursor.fetchall()}
    assert {"onboarding_application", "audit_entry", "accounts_business"} <= big

    many = {name: statements(page) for name, page in list_pages.every().items()}

    assert {name: len(asked) for name, asked in many.items()} == few
    register = list_pages.every()["businesses"]
    with CaptureQueriesContext(connection) as asked_for_a_file:
        lines = register.client.get(f"{register.path}?as=csv").getvalue().splitlines()
    assert len(lines) > MANY
    assert len(asked_for_a_file) < 2 * MOST
    asked = {sql: name for name, sqls in many.items() for sql in sqls}
    plans = [(name, executed(sql), sql) for sql, name in asked.items()]
    assert [(name, sql) for name, plan, sql in plans if scanned(plan) & big] == []
    assert [(name, blocks(plan), sql) for name, plan, sql in plans if blocks(plan) > BLOCKS] == []


@pytest.mark.django_db(transaction=True)
def test_the_load_has_a_valid_chain_and_every_state():
    generate(20)

    assert chain.verify() == []
    assert Application.objects.in_review().count() == 5  # one of them is executed
    assert {one.status for one in Application.objects.all()} == {
        "submitted", "held", "draft", "returned", "cleared", "executed"
    }  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_the_pages_of_the_load_open():
    generate(20)
    staff = factories.signed_in(Client(), factories.one_of_staff(*list_pages.ROLES))
    pages = [
        *(("agreements:case", one.public_id) for one in Application.objects.in_review()),
        *(("apikeys:grant", one.public_id) for one in Grant.objects.all()),
        *(("apikeys:business", one.public_id) for one in Business.objects.all()),
    ]
    assert len(pages) > 30
    opened = {page: staff.get(reverse(page[0], args=page[1:])).status_code for page in pages}
    assert {page: status for page, status in opened.items() if status != 200} == {}


def test_the_load_is_for_the_demo_only(settings):
    settings.DEMO = False
    with pytest.raises(CommandError, match="DEMO is not 1"):
        call_command("generate_load", businesses=1)
