"""Unfinished requests delay nobody, because nginx buffers requests."""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests import factories
from tests.apikeys import world
from tests.launch.deployed import Proxy
from tests.proofs import Proven, is_full, proof
from tests.server.asking import Ask, Asked, Asking
from tests.server.attack import attacked

pytestmark = pytest.mark.services

# Attackers are cut off after ten seconds, so a full phase lasts longer.
SECONDS = 20.0 if is_full() else 1.5


def everything() -> list[Ask]:
    """Return requests for public pages, pages of a signed-in person, and API calls."""
    _, plain = world.a_key()
    client = factories.signed_in(Client(), factories.a_person())
    cookie = f"__Host-session={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    public = ("accounts:sign_in", "accounts:sign_up")
    pages = [reverse(name) for name in (*public, "agreements:verify", "api:problems")]
    mine = [reverse("accounts:business_new"), reverse("accounts:security")]
    return [
        *(Ask("console", page) for page in [*pages, "/livez", "/readyz"]),
        Ask("console", f"{settings.STATIC_URL}css/console.css"),
        *(Ask("console", page, header="Cookie", value=cookie) for page in mine),
        *(
            Ask("api", f"/sandbox/v1/{name}", header="Authorization", value=f"Bearer {plain}")
            for name in ("me", "balances")
        ),
        Ask("api", "/sandbox/v1/nothing", status=404),
    ]


def compared(quiet: Asked, meanwhile: Asked) -> tuple[str, float]:
    """Return a summary of the second phase and the larger ratio of the two p99 times."""
    ratios = {side: meanwhile.p99(side) / quiet.p99(side) for side in ("console", "api")}
    said = ", ".join(
        f"{side} p99 {meanwhile.p99(side) * 1000:.0f} ms, {ratio:.1f}x"
        for side, ratio in ratios.items()
    )
    return said, max(ratios.values())


@proof("R32", "half-sent requests, on both sides, and slower ways", small=40, full=400)
def test_who_never_finishes_asking_keeps_nobody_waiting(proxy: Proxy, proven: Proven) -> None:
    asks = everything()
    Asking(proxy, asks, 1).done()  # fill caches first
    quiet = Asking(proxy, asks, SECONDS).done()
    attackers: dict[str, Any] = {}
    with attacked(proxy, proven.size, attackers):
        meanwhile = Asking(proxy, asks, SECONDS).done()
    assert not quiet.wrong, quiet.wrong[:5]
    said, ratio = compared(quiet, meanwhile)
    figure = (
        f"{proven.size} half-sent and {proven.size // 2} more held ({attackers['opened']} in all); "
        f"{meanwhile.answers} asked, {len(meanwhile.wrong)} unanswered; {said}"
    )
    # In parallel with other tests, times mean nothing, so check them only in a full run.
    proven.reached(figure, met=not meanwhile.wrong and (ratio <= 2 or not is_full()))
    if is_full():
        assert sum(attackers["told"].values()) >= proven.size
