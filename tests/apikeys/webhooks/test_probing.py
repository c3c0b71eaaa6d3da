"""Receivers that check signatures as specified are verified; others learn why not."""

import json
import math
from datetime import timedelta

import pytest
import time_machine
from django.db import connection, transaction
from kombu.exceptions import OperationalError as BrokerSilent

from apikeys.lifecycle import Environment
from apikeys.webhooks import delivery_signatures, endpoints, enforcement, probing, verification
from apikeys.webhooks.lifecycle import Verification
from console import celery
from console.accounts.actors import SYSTEM
from console.core import clock
from console.events import outbox
from console.events.models import EventDelivery
from tests import factories
from tests.apikeys.webhooks import world
from tests.apikeys.webhooks.receiving import Receive, Receiver, by_the_specification, verify


@pytest.fixture(autouse=True)
def loopback(settings):
    settings.WEBHOOK_EGRESS_ALLOW_CIDRS = ["127.0.0.0/8"]
    settings.WEBHOOK_ALLOW_HTTP = True
    settings.WEBHOOK_PROBE_PAUSE_MS = 0


@pytest.fixture
def receiving():
    servers = []

    def start(receive: Receive) -> Receiver:
        servers.append(Receiver(receive))
        return servers[-1]

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def an_endpoint_at(server, environment=Environment.SANDBOX, **members):
    endpoint, secret = world.an_endpoint(url=server.url, environment=environment, **members)
    server.secret = secret
    return endpoint


def settle():
    """Run pending jobs and verification rounds; a message or the schedule wakes their job."""
    outbox.settle()
    probing.do_what_waits()
    outbox.settle()


def probed(server, **members):
    endpoint = an_endpoint_at(server, **members)
    probe = verification.ask(endpoint, by=factories.owner_of(endpoint.business))
    settle()
    endpoint.refresh_from_db()
    probe.refresh_from_db()
    return endpoint, probe


def complaints(probe):
    return {enforcement.sentence(one) for one in probe.results if not one["held"]}


@pytest.mark.parametrize("environment", Environment)
def test_a_receiver_written_from_the_specification_is_verified(receiving, environment):
    endpoint, probe = probed(receiving(by_the_specification), environment=environment)

    assert (endpoint.verification, endpoint.verification_method) == ("verified", "probe")
    assert complaints(probe) == set()
    assert {one["probe"] for one in probe.results} == {"P1", "N1", "N2", "N3", "N4", "N5"}


def test_all_requests_look_like_deliveries_and_differ_in_their_signatures_alone(receiving):
    server = receiving(by_the_specification)
    probed(server)

    bodies = [json.loads(body) for _, body in server.asked]
    assert len({body["id"] for body in bodies}) == 17
    assert {body["type"] for body in bodies} == {"webhook_endpoint.ping"}
    assert not [body for body in bodies if "sequence" in body]
    assert len({len(body) for _, body in server.asked}) == 1
    differing = {"webhook-timestamp", "webhook-signature"}
    assert len({frozenset(set(headers) - differing) for headers, _ in server.asked}) == 1
    for headers, body in server.asked:
        assert headers["Service-Event-Id"] == json.loads(body)["id"] == headers["webhook-id"]


@pytest.mark.parametrize("broker", ["answers", "is silent"])
def test_who_is_told_of_a_round_wakes_the_job_and_asks_nobody(receiving, monkeypatch, broker):
    woken, server = [], receiving(by_the_specification)

    def send_task(_, *, kwargs, countdown):
        woken.append(kwargs["name"])
        if broker == "is silent":
            raise BrokerSilent

    monkeypatch.setattr(celery.app, "send_task", send_task)
    endpoint = an_endpoint_at(server)
    verification.ask(endpoint, by=factories.owner_of(endpoint.business))
    outbox.settle()

    assert woken == [probing.JOB]
    assert server.asked == []
    assert not EventDelivery.objects.waiting().filter(listener="webhooks.probe").exists()


def test_the_order_cannot_be_foreseen():
    orders = {
        tuple(one.name for one in enforcement.in_random_order(enforcement.FULL)) for _ in range(50)
    }
    assert len(orders) > 10


FIRST = "Your endpoint did not accept a delivery with a valid signature"
OTHER = "Your endpoint accepted a delivery that was signed with another secret."
NO_V1 = "Your endpoint accepted a delivery without a signature."
NO_T = "Your endpoint accepted a delivery without a timestamp."
OLD = "Your endpoint accepted a delivery whose timestamp was 6 minutes old."
EARLY = "Your endpoint accepted a delivery whose timestamp was 6 minutes in the future."


def accepting(passes):
    """A receiver that checks all except what `passes` allows, given (time, v1, body, secret)."""

    def receive(headers, body, secret):
        given = dict(one.split("=") for one in headers["Service-Signature"].split(","))
        right = verify(secret, headers["Service-Signature"], body)
        return (200 if right or passes(given, body, secret) else 400), b""

    return receive


def well_signed(given, body, secret):
    at = int(given.get("t", 0))
    return given.get("v1") == delivery_signatures.hex_signature(secret, at, body)


def is_past(given):
    return int(given["t"]) < clock.now().timestamp()


@pytest.mark.parametrize(
    ("receive", "expected"),
    [
        (lambda *_: (200, b"ok"), {OTHER, NO_V1, NO_T, OLD, EARLY}),
        (lambda *_: (404, b""), {f"{FIRST}: http 404."}),
        (accepting(well_signed), {OLD, EARLY}),
        (accepting(lambda given, *_: "v1" not in given), {NO_V1}),
        (accepting(lambda given, *_: "t" not in given), {NO_T}),
        (accepting(lambda given, *_: "t" in given and "v1" in given), {OTHER, OLD, EARLY}),
        (accepting(lambda given, *rest: well_signed(given, *rest) and is_past(given)), {OLD}),
    ],
    ids=["200 to all", "404 to all", "no age", "no v1", "no t", "no secret", "no past"],
)
def test_each_receiver_that_does_not_check_is_told_what(receiving, receive, expected):
    endpoint, probe = probed(receiving(receive))

    assert endpoint.verification == Verification.UNVERIFIED
    assert not probe.passed
    assert complaints(probe) == expected


def test_who_guesses_which_requests_are_right_succeeds_less_than_once_in_a_thousand(receiving):
    server = receiving(by_the_specification)
    probed(server)

    headers = [one["Service-Signature"] for one, _ in server.asked]
    alike = [one for one in server.asked if "v1" in one[0]["Service-Signature"]]
    alike = [
        (given, body)
        for given, body in alike
        if abs(int(given.get("webhook-timestamp", 0)) - clock.now().timestamp()) < 300
    ]
    good = sum(verify(server.secret, one["Service-Signature"], body) for one, body in alike)
    bad = len(alike) - good
    assert len(set(headers)) == len(headers)
    assert math.comb(good + bad, good) >= 1000
    share = good / (good + bad)  # the best chance for random acceptance
    assert share**good * (1 - share) ** bad <= 1 / 1000


@pytest.mark.parametrize("status", [302, 408, 429, 500, 503])
def test_only_a_4xx_answer_to_the_signature_is_a_refusal(receiving, status):
    def receive(headers, body, secret):
        return (204 if verify(secret, headers["Service-Signature"], body) else status), b""

    endpoint, probe = probed(receiving(receive))

    assert endpoint.verification == Verification.UNVERIFIED
    other = "Your endpoint did not answer 4xx to a delivery that was signed with another secret"
    assert any(one.startswith(f"{other}: ") for one in complaints(probe))


def answering_challenges(also=lambda right: False):
    def receive(headers, body, secret):
        right = verify(secret, headers["Service-Signature"], body)
        if not right and not also(right):
            return 200, b"{}"
        challenge = json.loads(body)["data"]["challenge"]
        said = {"challenge_response": enforcement.response_to(challenge, secret)}
        return 200, json.dumps(said).encode()

    return receive


def test_who_accepts_everything_is_verified_by_the_challenge(receiving):
    endpoint, _ = probed(receiving(answering_challenges()))
    assert (endpoint.verification, endpoint.verification_method) == ("verified", "challenge")


def test_who_answers_the_challenge_of_everything_is_not(receiving):
    endpoint, _ = probed(receiving(answering_challenges(also=lambda right: True)))
    assert endpoint.verification == Verification.UNVERIFIED


@pytest.mark.parametrize(
    "answer", [b"", b"null", b"[]", b"\xff", b"[" * 100_000, b'{"challenge_response":1}']
)
def test_what_is_no_response_to_a_challenge_proves_nothing(receiving, answer):
    endpoint, _ = probed(receiving(lambda *_: (200, answer)))
    assert endpoint.verification == Verification.UNVERIFIED


def test_the_network_is_asked_outside_any_transaction(receiving, monkeypatch):
    depths, send = [], probing._send
    around = len(connection.atomic_blocks)

    def noted(*given):
        depths.append(len(connection.atomic_blocks) - around)
        return send(*given)

    monkeypatch.setattr(probing, "_send", noted)
    endpoint, _ = probed(receiving(by_the_specification))
    assert depths == [0] * 17

    verification.ask(endpoint, by=factories.owner_of(endpoint.business))
    with pytest.raises(RuntimeError), transaction.atomic():
        probing.do_what_waits()
    assert len(depths) == 17


def test_a_worker_that_is_killed_amid_a_round_leaves_it_to_the_next(receiving, monkeypatch):
    server = receiving(by_the_specification)
    endpoint = an_endpoint_at(server)
    probe = verification.ask(endpoint, by=factories.owner_of(endpoint.business))
    send = probing._send

    def killed(*given):
        if len(server.asked) == 3:
            raise SystemExit
        return send(*given)

    monkeypatch.setattr(probing, "_send", killed)
    with pytest.raises(SystemExit):
        settle()
    probe.refresh_from_db()
    assert (probe.ended_at, len(server.asked)) == (None, 3)

    monkeypatch.setattr(probing, "_send", send)
    probing.do_what_waits()

    probe.refresh_from_db()
    assert probe.passed
    assert len(server.asked) == 20
    settle()
    assert len(server.asked) == 20


def test_a_round_under_way_shows_nothing_of_an_address_that_replaced_it(receiving, monkeypatch):
    server, other = receiving(by_the_specification), receiving(by_the_specification)
    endpoint, send = an_endpoint_at(server), probing._send
    owner = factories.owner_of(endpoint.business)

    def moved(*given):
        if len(server.asked) == 3:
            endpoints.move(endpoint, other.url, by=owner)
        return send(*given)

    monkeypatch.setattr(probing, "_send", moved)
    probe = verification.ask(endpoint, by=owner)
    settle()

    endpoint.refresh_from_db()
    probe.refresh_from_db()
    assert (len(server.asked), len(other.asked)) == (17, 0)
    assert endpoint.verification == Verification.UNVERIFIED
    assert (probe.passed, probe.results) == (False, [])


def test_who_lets_us_wait_too_long_is_not_asked_to_the_end(receiving, monkeypatch):
    monkeypatch.setattr(probing, "_MOST_SECONDS", -1)
    endpoint, probe = probed(receiving(by_the_specification))
    assert endpoint.verification == Verification.UNVERIFIED
    assert probe.results == []


def test_the_weekly_round_asks_two_and_two_bad_weeks_lapse(receiving):
    server = receiving(by_the_specification)
    endpoint, _ = probed(server, environment=Environment.LIVE)
    del server.asked[:]
    probing.ask_weekly()
    assert not endpoint.probes.filter(weekly=True).exists()
    moment = clock.now()
    for week, receive in enumerate([by_the_specification, *[lambda *_: (200, b"")] * 2], start=1):
        server.receive = receive
        with time_machine.travel(moment + timedelta(days=8 * week)):
            probing.ask_weekly()
            probing.ask_weekly()
            settle()
        assert len(server.asked) == 2 * week
        assert {one["probe"] for one in verification.newest(endpoint).results} == {"P1", "N1"}
    endpoint.refresh_from_db()
    assert endpoint.verification == Verification.LAPSED


@pytest.mark.parametrize("change", ["opted out", "paused", "sandbox", "unverified"])
def test_nobody_else_is_asked_weekly(receiving, change):
    environment = Environment.SANDBOX if change == "sandbox" else Environment.LIVE
    endpoint, _ = world.an_endpoint(environment=environment, verified=change != "unverified")
    owner = factories.owner_of(endpoint.business)
    if change == "opted out":
        endpoints.change(endpoint, probed_weekly=False, by=owner)
    if change == "paused":
        endpoints.pause(endpoint, by=owner)

    probing.ask_weekly()

    assert not endpoint.probes.exists()
    assert verification.ask_weekly(endpoint, by=SYSTEM) is None


def test_probes_during_a_rotation_are_signed_with_the_new_secret(receiving):
    server = receiving(by_the_specification)
    endpoint = an_endpoint_at(server)
    owner = factories.owner_of(endpoint.business)
    _, server.secret = endpoints.rotate_secret(endpoint, by=owner)
    probe = verification.ask(endpoint, by=owner)
    settle()
    probe.refresh_from_db()
    assert probe.passed
