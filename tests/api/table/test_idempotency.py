"""The same Idempotency-Key and request have one effect, whatever else happens meanwhile."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from threading import Event

import pytest
from django.db import connection, transaction
from rest_framework import serializers

from api import retention
from api.fields import StrictSerializer, StrictText
from api.idempotency import IdempotencyClaim
from api.models import IdempotencyRecord
from api.payments.models import Payout
from api.problems import ApiProblem
from api.v1.payouts import PayoutViewSet
from api.viewsets import ResourceViewSet, operation
from apikeys.models import ApiKey
from console.audit import context
from console.audit.models import Entry
from console.core import clock
from console.events.models import Event as PublishedEvent
from tests.api.asking import BY_NAME, Client, a_client
from tests.api.calling import Caller, serving
from tests.api.forks import Forks
from tests.api.paying import a_payer, body_of, left, pay
from tests.apikeys import world
from tests.proofs import Proven, proof
from tests.waiting import at_once

KEY = "payout-0001"


@pytest.fixture
def plain():
    return a_payer()


def effects() -> tuple[int, int, int, int]:
    """Return the numbers of payouts, audit entries, events and keys."""
    return (
        Payout.objects.count(),
        Entry.objects.filter(code__startswith="payout.").count(),
        PublishedEvent.objects.filter(kind__startswith="payout.").count(),
        IdempotencyRecord.objects.count(),
    )


ONCE = (1, 2, 2, 1)


def test_the_same_request_is_answered_the_same_again(api, plain):
    first = pay(api, plain, KEY)
    second = pay(api, plain, f'"{KEY}"')

    assert (second.status, effects()) == (201, ONCE)
    assert second.json | {"request_id": ""} == first.json | {"request_id": ""}
    assert second.json["request_id"] == second.headers["X-Request-Id"]
    assert second.headers["Original-Request-Id"] == first.headers["X-Request-Id"]
    assert second.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers


@pytest.mark.parametrize("sent", [f"{KEY} ", f"{KEY}\t ", f"\t{KEY}", f'"{KEY}" '])
def test_blanks_around_a_key_do_not_belong_to_it(api, plain, sent):
    pay(api, plain, KEY)

    assert pay(api, plain, sent).headers["Idempotent-Replayed"] == "true"
    assert effects() == ONCE


def test_the_order_of_members_is_no_difference(api, plain):
    pay(api, plain, KEY)

    turned = dict(reversed(list(body_of().items())))
    assert pay(api, plain, KEY, turned).headers["Idempotent-Replayed"] == "true"


def test_another_request_with_the_same_key_is_refused(api, plain):
    pay(api, plain, KEY)

    for body in (body_of("1250.01"), {}, body_of(reference="x")):
        reply = pay(api, plain, KEY, body)
        assert (reply.status, reply.code) == (409, "IDEMPOTENCY_KEY_REUSED")
    assert effects() == ONCE


def test_a_second_call_meanwhile_waits_for_nothing(api, plain):
    """The first holds its key until it is released; the second is answered before that."""
    with held(lock_number(plain)):
        reply = pay(api, plain, KEY)

    assert (reply.status, reply.code) == (409, "IDEMPOTENT_REQUEST_IN_PROGRESS")
    assert reply.headers["Retry-After"] == "1"
    assert reply.json["retryable"] is True
    assert pay(api, plain, KEY).status == 201


@contextmanager
def held(number: int) -> Iterator[None]:
    """Hold an advisory lock in another session."""
    holds, go_on = Event(), Event()

    def hold() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])
            holds.set()
            go_on.wait(60)
        connection.close()

    with ThreadPoolExecutor(1) as pool:
        holder = pool.submit(hold)
        assert holds.wait(60)
        yield
        go_on.set()
        holder.result()


def lock_number(plain: str) -> int:
    key = ApiKey.objects.select_related("grant").get(public_id=plain.partition(":")[0])
    view = PayoutViewSet(environment="sandbox", grant=key.grant)
    return IdempotencyClaim(view, KEY).lock_number


@proof("R6", "identical payouts at once", small=2, full=100, asked="each 1 effect, 0 of them 5xx")
def test_parallel_identical_posts_have_one_effect(proven: Proven):
    many = 32
    wrong: list[object] = []
    for round_number in range(proven.size):
        plain, key = a_payer(), f"round-{round_number:06}"
        before = effects()

        def post(_, plain=plain, key=key):
            return pay(Caller(), plain, key)

        replies = at_once(many, post)
        made = {reply.json["id"] for reply in replies if reply.status == 201}
        refused = {reply.code for reply in replies if reply.status != 201}
        grown = grown_since(before)
        money = left(Caller(), plain) == ("998750.00", "0.00")
        if len(made) != 1 or refused - {"IDEMPOTENT_REQUEST_IN_PROGRESS"} or grown != ONCE:
            wrong.append((round_number, made, refused, grown))
        elif not money:
            wrong.append((round_number, left(Caller(), plain)))
    figure = f"{proven.size:,} rounds of {many} posts, {len(wrong)} with another effect than one"
    proven.reached(figure, met=not wrong, wrong=wrong)


@proof("R6", "a payout killed at every line", small=12, full=100_000, asked="each 1 effect")
def test_a_process_that_is_killed_at_any_line_leaves_one_effect(proven: Proven):
    forks, api = Forks(), Caller()
    try:
        forks.post(a_payer(), KEY, 0)
        whole = forks.post(a_payer(), KEY, 10**9)["said"]
        assert isinstance(whole, dict)
        assert whole["status"] == 201
        count = whole["lines"]
        lines = range(1, count + 1, max(1, -(-count // proven.size)))
        killed, wrong = 0, []
        for line in lines:
            plain, key, before = a_payer(), f"line-{line:08}", effects()
            killed += bool(forks.post(plain, key, line)["killed"])
            left_behind = grown_since(before)
            reply = pay_again(api, plain, key)
            good = reply.status == 201 and left_behind in ((0, 0, 0, 0), ONCE)
            if not good or grown_since(before) != ONCE or left(api, plain)[0] != "998750.00":
                wrong.append((line, left_behind, reply.status, grown_since(before)))
    finally:
        forks.close()
    figure = f"{killed:,} kills over {count:,} lines, {len(wrong)} with another effect than one"
    proven.reached(figure, met=not wrong and killed == len(lines), wrong=wrong)


def pay_again(api, plain, key):
    """Retry like a client while the database still considers the killed process alive."""
    until = time.monotonic() + 60
    while (reply := pay(api, plain, key)).code == "IDEMPOTENT_REQUEST_IN_PROGRESS":
        assert time.monotonic() < until
        time.sleep(0.05)
    return reply


def grown_since(before: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(now - then for now, then in zip(effects(), before, strict=True))


# An operation with an external provider, and one that is not financial ---------------------------


class Note(StrictSerializer):
    note = StrictText(max_length=40)


class NoteShape(serializers.Serializer[object]):
    note = serializers.CharField()
    said = serializers.CharField()


class Issuer:
    """An external provider that remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []
        self.does = lambda call: {"said": "issued"}

    def ask(self, claim):
        self.asked.append((claim.key, claim.tries))
        # Another connection only sees what was already committed.
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(_claims).result() == 1
        return self.does(claim)


def _claims() -> int:
    try:
        return IdempotencyRecord.objects.count()
    finally:
        connection.close()


ISSUER = Issuer()
FAILS: list[Exception] = []


class Issued(ResourceViewSet):
    product = resource = "cards"
    needs_provider = False
    serializer_class = NoteShape

    @operation(
        body=Note, status=201, codes=["STOCK_CONFLICT"], financial=True, ask="ask_the_issuer"
    )
    def create(self, request):
        if FAILS:
            raise FAILS.pop()
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        note = serializer.validated_data["note"]
        return self.respond({"note": note, "said": self.claim.outcome["said"]})

    def ask_the_issuer(self, body):
        return ISSUER.ask(self.claim)


class Notes(ResourceViewSet):
    product = resource = "cards"
    needs_provider = False
    serializer_class = NoteShape

    @operation(body=Note, status=201)
    def create(self, request):
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        note = serializer.validated_data["note"]
        return self.respond({"note": note, "said": context.current().request_id})


@pytest.fixture
def issuing():
    ISSUER.asked.clear()
    FAILS.clear()
    ISSUER.does = lambda call: {"said": "issued"}
    with serving({"cards": Issued, "notes": Notes}) as api:
        yield api


@pytest.fixture
def holder():
    return world.a_key(scopes=("cards:write",))[1]


def send(api, plain, key=KEY, path="/sandbox/v1/cards", body=b'{"note": "Fuel"}'):
    more = {"CONTENT_TYPE": "application/json"} | ({"HTTP_IDEMPOTENCY_KEY": key} if key else {})
    return api.call("POST", path, plain, body=body, **more)


def test_an_outside_party_is_asked_under_a_committed_claim_and_once(issuing, holder):
    first, second = send(issuing, holder), send(issuing, holder)

    assert (first.status, second.status) == (201, 201)
    assert second.headers["Idempotent-Replayed"] == "true"
    assert ISSUER.asked == [(KEY, 0)]


def test_the_same_key_goes_on_from_what_was_said(issuing, holder):
    """Our failure after the provider's answer does not cause a second request to it."""
    FAILS.append(RuntimeError("lost between the two"))

    assert send(issuing, holder).status == 500
    reply = send(issuing, holder)

    assert (reply.status, reply.json["said"]) == (201, "issued")
    assert ISSUER.asked == [(KEY, 0)]


def test_an_outside_party_that_is_away_is_asked_again_with_the_same_key(issuing, holder):
    def away(call):
        if call.tries < 2:
            raise ApiProblem("PROVIDER_UNAVAILABLE")
        return {"said": "issued"}

    ISSUER.does = away
    replies = [send(issuing, holder) for _ in range(3)]

    assert [reply.status for reply in replies] == [503, 503, 201]
    assert ISSUER.asked == [(KEY, 0), (KEY, 1), (KEY, 2)]


def test_a_final_refusal_of_an_outside_party_is_its_keys_answer(issuing, holder):
    def sold(call):
        raise ApiProblem("STOCK_CONFLICT")

    ISSUER.does = sold
    replies = [send(issuing, holder) for _ in range(2)]

    assert [(reply.status, reply.code) for reply in replies] == [(409, "STOCK_CONFLICT")] * 2
    assert len(ISSUER.asked) == 1


def test_while_an_outside_party_is_asked_the_same_key_is_in_progress(issuing, holder):
    seen = []

    def sent():
        try:
            return send(issuing, holder)
        finally:
            connection.close()

    def meanwhile(call):
        with ThreadPoolExecutor(1) as pool:
            seen.append(pool.submit(sent).result().code)
        return {"said": "issued"}

    ISSUER.does = meanwhile
    assert send(issuing, holder).status == 201
    assert seen == ["IDEMPOTENT_REQUEST_IN_PROGRESS"]


def test_a_mistake_is_told_before_an_outside_party_is_asked(issuing, holder):
    assert send(issuing, holder, body=b"{}").status == 422
    assert ISSUER.asked == []
    assert not IdempotencyRecord.objects.exists()


def test_a_key_is_honoured_where_none_is_asked_for(issuing, holder):
    said = [send(issuing, holder, path="/sandbox/v1/notes").json["said"] for _ in range(2)]
    bare = [send(issuing, holder, "", "/sandbox/v1/notes").json["said"] for _ in range(2)]

    assert said[0] == said[1]
    assert bare[0] != bare[1]
    assert IdempotencyRecord.objects.count() == 1


def test_one_key_serves_one_operation(issuing, holder):
    assert send(issuing, holder).status == 201
    assert send(issuing, holder, path="/sandbox/v1/notes").code == "IDEMPOTENCY_KEY_REUSED"


@pytest.mark.parametrize(
    ("name", "exists"),
    [("payouts.create", True), ("savings.deposit", False), ("crypto_withdrawals.create", False)],
)
def test_a_forgotten_answer_names_only_an_address_that_exists(api, name, exists):
    client, row = Client(api, a_client()), BY_NAME[name]
    path = client.path_of(row)
    client.ask(row, path, key=KEY)
    IdempotencyRecord.objects.update(created_at=clock.now() - timedelta(days=31))
    retention.forget_old_answers()

    again = client.ask(row, path, key=KEY)

    assert again.code == "IDEMPOTENCY_KEY_REUSED"
    assert bool(again.json["existing"]) == exists
    assert not exists or client.read(again.json["existing"])["id"]
