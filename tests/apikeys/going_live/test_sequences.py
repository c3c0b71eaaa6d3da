"""R4: after any sequence of actions, a request has the status that the table specifies."""

from collections import Counter
from random import Random

from django.db import connection, transaction

from apikeys.going_live import requests
from apikeys.going_live.lifecycle import GO_LIVE_LIFECYCLE
from apikeys.going_live.models import GoLiveRequest
from console.core.refusals import Refused
from tests import sequences
from tests.apikeys.going_live import world as going
from tests.apikeys.going_live.world import NOTE
from tests.proofs import Proven, proof

STEPS = ("ask", "withdraw", "propose", "approve", "decline", "confirm")
Place = tuple[str, bool, bool]  # status, proposed, confirmed
NOTHING: Place = ("", False, False)


def expected(at: Place, step: str) -> Place | None:
    """Return the state of the newest request after a step, or None if the step is refused."""
    status, is_proposed, is_confirmed = at
    if step == "ask":
        return ("requested", False, False) if status != "requested" and not is_confirmed else None
    if step == "confirm":
        return ("approved", True, True) if status == "approved" and not is_confirmed else None
    if status != "requested":
        return None
    if step == "propose":
        return None if is_proposed else ("requested", True, False)
    if step == "approve":
        return ("approved", True, False) if is_proposed else None
    return ({"withdraw": "withdrawn", "decline": "declined"}[step], is_proposed, False)


def press(world: going.LiveWorld, step: str, newest: GoLiveRequest | None) -> None:
    if step == "ask":
        requests.ask(world.business, ["customers"], by=world.owner)
    elif newest is None:
        raise Refused("There is nothing to press.")
    elif step == "propose":
        requests.propose(newest, note=NOTE, by=world.manager)
    elif step in ("approve", "decline"):
        getattr(requests, step)(newest, reason=NOTE, by=world.head)
    else:
        getattr(requests, step)(newest, by=world.owner)


def place_of(newest: GoLiveRequest | None) -> Place:
    if newest is None:
        return NOTHING
    return (newest.status, newest.proposed_at is not None, newest.confirmed_at is not None)


def pressed(
    world: going.LiveWorld, step: str, newest: GoLiveRequest | None
) -> tuple[GoLiveRequest | None, list[str]]:
    """Take one step, and return the state of the newest request and any errors."""
    before = place_of(newest)
    then = expected(before, step)
    try:
        press(world, step, newest)
    except Refused:
        done = False
    else:
        done = True
    newest = GoLiveRequest.objects.of(world.business).first()
    after = place_of(newest)
    wrong = []
    if done != (then is not None) or after != (then or before):
        wrong.append(f"{before} {step}: {after}, not {then}")
    if world.live.is_open != after[2]:
        wrong.append(f"{before} {step}: live is open without a confirmation, or closed with one")
    return newest, wrong


@proof(
    "R4", "requests to go live", small=12, full=20_000,
    asked="0 divergences, every move >= 100 times",
)  # fmt: skip
def test_every_order_of_presses_ends_as_the_table_says(proven: Proven):
    random, world = Random(4), going.a_ready_business()
    made, wrong = Counter[tuple[str, str]](), list[str]()
    for _ in range(proven.size):
        with transaction.atomic():
            newest = None
            for step in random.choices(STEPS, k=12):
                before = place_of(newest)
                newest, found = pressed(world, step, newest)
                after = place_of(newest)
                wrong += found
                made[before[0], after[0]] += 1
                if after[2]:
                    break
            # Run the deferred constraint checks now instead of at commit.
            connection.check_constraints()
            transaction.set_rollback(True)
    sequences.report(proven, GO_LIVE_LIFECYCLE, made, wrong)
