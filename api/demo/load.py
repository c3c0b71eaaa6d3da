"""Bulk test data: businesses in every state with everything that our lists show, inserted in SQL.

It goes past the triggers, so the rows lack what verbs would add, such as e-mails and decisions.
The audit chain is valid.
"""
# ruff: noqa: S608  # all names are ours

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import psycopg
from django.db import models
from psycopg import sql

from agreements.models import Pack, Revision
from api.demo.bulk_rows import BulkRows
from api.demo.businesses import answers_of
from apikeys.models import ApiKey, Grant, RequestLog, StagedBusiness
from apikeys.webhooks.models import PublicEvent, WebhookDelivery, WebhookEndpoint
from console.accounts.models import Business, Membership, User
from console.audit import log
from console.catalogue.definitions import PRODUCTS
from console.catalogue.models import BusinessProduct, ModuleSetting
from console.core import clock, day_partitions, digests
from console.events.models import Event, EventDelivery
from onboarding.models import Answer, Application, Assessment, Check, Submission
from onboarding.questionnaire import question_kinds
from onboarding.questionnaire.answer_problems import Context
from onboarding.questionnaire.loading import EDITIONS
from onboarding.risk.model import MODELS

Connection = psycopg.Connection[Any]

# Rows of the logs for each business, and its products.
LOGGED, TAKEN = 10, 3
_TABLES: tuple[type[models.Model], ...] = (
    User, Business, Membership, Application, Submission, Assessment, Check, Answer, Pack, Revision,
    BusinessProduct, ModuleSetting, Grant, ApiKey, RequestLog, PublicEvent, WebhookEndpoint,
    WebhookDelivery, Event, EventDelivery,
)  # fmt: skip
_AUDIT = ("audit_entry", "audit_link", "audit_head")
_ENTRY = (
    "id", "public_id", "at", "code", "actor_id", "actor_name", "business_id", "subject_type",
    "subject_id", "request_id", "body",
)  # fmt: skip
_DAYS = 7
_PARTITIONED = (RequestLog, PublicEvent, WebhookDelivery)
_NAME = (
    "(ARRAY['Amber', 'Birch', 'Cobalt', 'Delta', 'Ember', 'Fjord', 'Granite', 'Harbour'])"
    "[1 + n %% 8] || ' ' || left(md5(id::text), 8) || ' ' ||"
    " (ARRAY['Trading', 'Logistics', 'Foods'])[1 + n %% 3] || ' Limited'"
)
_AGO = "now() - interval '1 minute' * (id * 7919 %% 500000)"
_RECENT = f"now() - interval '1 second' * (id * 7919 %% {(_DAYS - 1) * 86400})"
_SHA256 = "encode(sha256(id::text::bytea), 'hex')"
_SUBMITTED, _PACKED, _EXECUTED = "n %% 10 <> 2", "n %% 10 >= 4", "n %% 10 >= 6"
# Three businesses, and at most eighty deliveries, however many there are.
_LIVE, _FAILED = "n IN (9, 19, 29)", "n <= 2000 AND n %% 25 = 0"


def generate(owner: Connection, count: int, say: Callable[[str], object]) -> None:
    """Insert businesses in one transaction, as the owner of the tables."""
    with owner.transaction(), owner.cursor() as cursor:
        # Otherwise pending checks of foreign keys forbid ALTER TABLE.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for day in range(_DAYS):
            for model in _PARTITIONED:
                when = clock.now().date() - timedelta(days=day)
                cursor.execute(day_partitions.SETTLE, [model._meta.db_table, when])
        names = [*(model._meta.db_table for model in _TABLES), *_AUDIT]
        _triggers(cursor, "DISABLE", names)
        first = max(_last(cursor, name) for name in names if name != "audit_head")
        _Load(cursor, first, count, say).insert()
        for name in names[:-1]:
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)",
                [name, max(1, _last(cursor, name))],
            )
        _triggers(cursor, "ENABLE", names)
    owner.execute("ANALYZE")


class _Load(BulkRows):
    """One run: businesses, and what belongs to them."""

    def insert(self) -> None:
        self._businesses()
        self._applications()
        self._agreements()
        self._products()
        self._events()
        self._requests()
        self._entries()

    def _businesses(self) -> None:
        self.rows(
            User, email="'load' || id || '@example.com'", name="'Person ' || id",
            email_confirmed_at="now()",
        )  # fmt: skip
        self.rows(Business, name=_NAME, status="'active'", created_at=_AGO, active_at=_AGO)
        self.rows(Membership, user_id="id", business_id="id", role="'owner'")

    def _applications(self) -> None:
        edition = sql.Literal(EDITIONS.versions()[-1]).as_string()
        model = sql.Literal(MODELS.versions()[-1]).as_string()
        body = sql.Literal(json.dumps({"body": {"answers": _answers()}}))
        in_case = {"application_id": "id", "submission_id": "id"}
        self.rows(Application, business_id="id", status="'draft'", edition=edition, started_at=_AGO)
        self.rows(
            Submission, 1, _SUBMITTED, application_id="id", number="1", edition=edition,
            body=body.as_string(), submission_sha256=_SHA256, submitted_by_id="id",
        )  # fmt: skip
        self.rows(
            Assessment, 1, _SUBMITTED, **in_case, number="1", score_x100="n %% 9000",
            tier="(ARRAY['LOW', 'MEDIUM', 'HIGH'])[1 + n %% 3]", tier_by_score="'LOW'",
            model_version=model, marks="'[]'", factors="'[]'",
        )  # fmt: skip
        self.rows(
            Check, 1, _SUBMITTED, **in_case, kind="'screening'", subject="'company'",
            subject_name="'Load'", finished_at=_AGO, simulated="false",
            status="CASE WHEN n %% 10 = 0 THEN 'needs_review' WHEN n %% 1000 = 6 THEN 'failed'"
            " ELSE 'passed' END",
        )  # fmt: skip
        self.rows(
            Answer, application_id="id", by_id="id", section="'legal'", revision="1",
            question="'li_registration_number'", value="to_jsonb('LOAD' || id)",
        )  # fmt: skip
        self.change(
            Application, _SUBMITTED, submitted_at=_AGO, submission_id="id", assessment_id="id",
            status="(ARRAY['submitted', 'held', 'draft', 'returned', 'cleared', 'cleared',"
            " 'executed', 'executed', 'executed', 'executed'])[1 + n %% 10]",
            open_again="n %% 1000 = 6",
        )  # fmt: skip

    def _agreements(self) -> None:
        self.rows(
            Pack, 1, _PACKED, number="'AGP-L' || id", business_id="id", application_id="id",
            status="'generating'", tier="(ARRAY['LOW', 'MEDIUM', 'HIGH'])[1 + n %% 3]",
            created_at=_AGO,
        )  # fmt: skip
        self.rows(Revision, 1, _PACKED, pack_id="id", number="1", offer_sha256=_SHA256)
        self.change(
            Pack, _PACKED, revision_id="id", executed_at="now()", manifest_sha256=_SHA256,
            certificate_sha256=_SHA256, bundle_sha256=_SHA256,
            status="CASE n %% 10 WHEN 4 THEN 'in_approval' WHEN 5 THEN 'approved'"
            " ELSE 'executed' END",
            awaits_compliance="n %% 10 = 4 AND n %% 3 = 0",
            awaits_commercial="n %% 10 = 4 AND n %% 3 = 1", awaits_legal="n %% 10 = 4",
        )  # fmt: skip

    def _products(self) -> None:
        keys = list(PRODUCTS)[:TAKEN]
        key = f"({sql.Literal(keys).as_string()}::text[])[1 + id %% {TAKEN}]"
        of = f"{self.first} + 1 + (id - {self.first} - 1) / {TAKEN}"
        self.rows(
            BusinessProduct, TAKEN, business_id=of, product=key, requested_at="now()",
            status="CASE WHEN n %% 10 >= 6 THEN 'approved' ELSE 'requested' END",
        )  # fmt: skip
        self.rows(
            ModuleSetting, TAKEN, "n %% 10 >= 6", business_id=of, module=key,
            automatic="true",
        )  # fmt: skip
        self.change(
            ModuleSetting, "n %% 50 = 7", hand="'off'", hand_at=_AGO, hand_reason="'Load'",
            hand_by_id=str(self.first + 1),
        )  # fmt: skip
        taken = f"{sql.Literal(keys).as_string()}::text[]"
        self.rows(
            Grant, 1, _EXECUTED, business_id="id", status="'open'", products=taken,
            environment=f"CASE WHEN {_LIVE} THEN 'live' ELSE 'sandbox' END", opened_at=_AGO,
            tier="'LOW'",
        )  # fmt: skip
        self.rows(StagedBusiness, business_id="id", stage="public.apikeys_stage_of(id)")
        self.rows(
            ApiKey, 1, _EXECUTED, public_id="'svc_load' || id", grant_id="id", name="'Load'",
            scopes="ARRAY['me.read']", issued_by_id="id", once=_SHA256, status="'active'",
            digest="sha256(id::text::bytea)", pepper="1", expires_at="now() + interval '1 year'",
            stored_at="now()", last_used_at="now()",
        )  # fmt: skip

    def _events(self) -> None:
        one, waits = str(self.first + 1), "CASE WHEN n %% 100 = 0 THEN NULL ELSE now() END"
        self.rows(Event, kind="'load.generated'", subject_id="'load' || id", happened_at=_AGO)
        self.rows(
            EventDelivery, event_id="id", listener="'load'", done_at=waits,
            not_before="now() + interval '10 years'",
            last_error="CASE WHEN n %% 1000 = 0 THEN 'Load' ELSE '' END",
        )  # fmt: skip
        self.rows(
            WebhookEndpoint, 1, "n = 1", business_id="id", environment="'sandbox'",
            url="'https://load.example/'", host="'load.example'", enabled_events="ARRAY['*']",
            status="'active'", verification="'unverified'", once=_SHA256, api_version="'1'",
        )  # fmt: skip
        self.rows(
            PublicEvent, business_id=one, environment="'sandbox'", kind="'transfer.completed'",
            resource_id="'load' || id", sequence="1", body="'{}'", created_at=_RECENT,
        )  # fmt: skip
        self.rows(
            WebhookDelivery, endpoint_id=one, event_id="'load' || id", kind="'normal'",
            event_kind="'transfer.completed'", created_at=_RECENT, event_created_at=_RECENT,
            status=f"CASE WHEN {_FAILED} THEN 'exhausted' ELSE 'delivered' END",
        )  # fmt: skip

    def _requests(self) -> None:
        """Insert calls: every tenth is of the first business."""
        of = f"{self.first} + 1 + CASE WHEN n %% 10 = 0 THEN 0 ELSE (n - 1) / {LOGGED} END"
        self.rows(
            RequestLog, LOGGED, business_id=of, at=_RECENT, request_id="'req_load' || id",
            key_id="'svc_load'", environment="'sandbox'", method="'GET'", path="'/payouts'",
            status="CASE WHEN n %% 100 = 0 THEN 404 ELSE 200 END", ip="'192.0.2.1'",
            code="CASE WHEN n %% 100 = 0 THEN 'not_found' ELSE '' END", microseconds="900",
        )  # fmt: skip

    def _entries(self) -> None:
        """Copy the audit entries and their links, and move the head of the chain."""
        self.cursor.execute("SELECT count, hash FROM audit_head WHERE chain = 'main' FOR UPDATE")
        seq, head = self.cursor.fetchone() or (0, "")
        entries = list[tuple[Any, ...]]()
        links = list[tuple[Any, ...]]()
        for number, members in enumerate(self._bodies(), start=self.first + 1):
            body = digests.canonical(log.DOMAIN, members).decode()
            was, head, seq = head, digests.sha256_hex((head + body).encode()), seq + 1
            entries.append((number, *log.columns(members).values(), body))
            links.append(("main", seq, number, was, head))
            if len(entries) == 100_000:
                self._copy(entries, links)
        self._copy(entries, links)
        self.cursor.execute(
            "UPDATE audit_head SET count = %s, hash = %s WHERE chain = 'main'", [seq, head]
        )

    def _copy(self, entries: list[tuple[Any, ...]], links: list[tuple[Any, ...]]) -> None:
        for table, rows in (
            (f"audit_entry ({', '.join(_ENTRY)})", entries),
            ("audit_link (chain, seq, entry_id, prev, hash)", links),
        ):
            with self.cursor.copy(f"COPY {table} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        self.say(f"{len(entries):,} audit entries")
        entries.clear()
        links.clear()

    def _bodies(self) -> Iterator[dict[str, Any]]:
        began = clock.now() - timedelta(days=365)
        for n in range(self.count * LOGGED):
            of = self.first + 1 + n // LOGGED
            at = began + timedelta(seconds=n * 30)
            yield {
                "id": f"aud_load{self.first + 1 + n}",
                "at": at.isoformat(timespec="microseconds"),
                "code": "check.passed" if n % 2 else "application.saved",
                "actor": {"id": f"usr_load{of}", "name": f"Person {of}", "roles": []},
                "business": f"biz_load{of}",
                "subject": {"type": "application", "id": f"app_load{of}"},
                "request": {"id": f"req_load{self.first + 1 + n}", "ip": None, "via": ""},
                "before": {}, "after": {}, "details": {},
            }  # fmt: skip


def _answers() -> dict[str, Any]:
    """Return the answers of one business, as a submission stores them."""
    questions = EDITIONS.load(EDITIONS.versions()[-1]).by_key
    typed = answers_of("load.example", "Load Limited", "09999990", "Ada Obi")
    context = Context(clock.now().date(), typed["vo_currency"])
    return {key: question_kinds.read(questions[key], typed[key], context) for key in typed}


def _triggers(cursor: "psycopg.Cursor[Any]", to: str, tables: list[str]) -> None:
    for table in tables:
        cursor.execute(f"ALTER TABLE {table} {to} TRIGGER USER")


def _last(cursor: "psycopg.Cursor[Any]", table: str) -> int:
    cursor.execute(f"SELECT coalesce(max(id), 0) FROM {table}")
    return int((cursor.fetchone() or (0,))[0])
