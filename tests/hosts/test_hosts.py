"""Four hosts, each cut off from the network in turn and brought back, lose and double nothing."""

import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page

from agreements.lifecycle import DocumentStatus, PackStatus
from agreements.models import Document, Pack
from agreements.packs import packs
from api.payments import reconciliation
from api.payments.models import Balance, Payout
from apikeys.keys import keys
from apikeys.webhooks.models import QueuedDelivery, WebhookDelivery
from console.accounts.actors import SYSTEM
from console.audit import chain
from console.core import clock, schedule
from console.events.models import Event, EventDelivery
from tests import factories
from tests.api.table.test_many_writers import waiting_otherwise, wrongly_moved
from tests.apikeys import world
from tests.apikeys.webhooks.receiving import Receiver
from tests.databases import as_owner
from tests.flows import test_the_walk
from tests.flows.test_the_walk import JOURNEYS
from tests.flows.walking import Person
from tests.hosts import network
from tests.hosts.installation import PARTS, Installation, running
from tests.hosts.load import Payer
from tests.proofs import Proven, proof
from tests.waiting import eventually

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

# Ticks are stored in one row for each job, so the test writes down each change of it.
TICKS = """
CREATE TABLE ticks (name text, at timestamptz);
CREATE FUNCTION note_tick() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
    'BEGIN INSERT INTO ticks VALUES (NEW.name, NEW.started_at); RETURN NULL; END';
CREATE TRIGGER note_tick AFTER UPDATE OF started_at ON events_jobrun
    FOR EACH ROW EXECUTE FUNCTION note_tick();
"""


@pytest.fixture
def installation(
    transactional_db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Installation]:
    with network.opened() as opened:
        monkeypatch.setattr(Receiver, "address", opened.address)
        with running(opened, tmp_path, monkeypatch) as made:
            monkeypatch.setenv("SSL_CERT_FILE", made.proxy.certificate)
            with as_owner() as owner:
                owner.execute(TICKS)
            yield made


class Work:
    """What goes on while the hosts are cut off."""

    def __init__(self, installation: Installation, payers: int, pack_count: int) -> None:
        self.installation = installation
        self.payers = [Payer(installation, number) for number in range(payers)]
        self.endpoints = [payer.endpoint for payer in self.payers]
        self.revoked: list[str] = []
        self.packs = [factories.a_pack(PackStatus.APPROVED) for _ in range(pack_count)]
        for file in Path(settings.MEDIA_ROOT).rglob("*"):
            if file.is_file() and "audit" not in file.parts:
                name = str(file.relative_to(settings.MEDIA_ROOT))
                installation.bucket.overwrite(name, file.read_bytes())

    def begin(self) -> None:
        for payer in self.payers:
            payer.start()

    def happen(self) -> None:
        """Let a pack be sealed, and an e-mail be sent."""
        if countersigned := next((one for one in self.packs if self._is_approved(one)), None):
            factories.walked(factories.fresh_pack(countersigned), PackStatus.COUNTERSIGNING)
        payer = self.payers[0]
        name = f"Till {len(self.revoked) + 1:03}"
        key, _ = world.a_key(payer.key.grant, name=name)
        keys.revoke(key, reason="exposed", by=factories.owner_of(key.business))
        self.revoked.append(name)

    def end(self) -> None:
        for payer in self.payers:
            payer.end()
        for payer in self.payers:
            assert not payer.wrong, payer.wrong
        eventually(lambda: not EventDelivery.objects.waiting().exists(), within=180)
        eventually(lambda: not Payout.objects.filter(status="pending").exists(), within=180)
        eventually(lambda: not EventDelivery.objects.waiting().exists(), within=180)
        # The receiver of the walk has gone when its endpoint is verified. A delivery that failed in
        # three cuts would wait for ten minutes, and a breaker waits for five.
        queued = QueuedDelivery.objects.filter(endpoint__in=self.endpoints)
        queued.update(due_at=clock.now())
        eventually(lambda: not queued.exists(), within=360)

    def _is_approved(self, pack: Pack) -> bool:
        return factories.fresh_pack(pack).status == PackStatus.APPROVED


# What must hold at the end -----------------------------------------------------------------------


def wrong_payouts(work: Work) -> Iterator[object]:
    """Yield payouts that were lost or doubled, and sums that are not those of their entries."""
    for payer in work.payers:
        made = Payout.objects.filter(business=payer.key.grant.business)
        yield from Counter(payer.paid) - Counter(made.values_list("public_id", flat=True))
        yield from Counter(made.values_list("public_id", flat=True)) - Counter(payer.paid)
        balance = Balance.objects.get(business=payer.key.grant.business, currency="NGN")
        sums = (balance.available, balance.pending, balance.reserved)
        if sums != (100_000_000 - 100 * len(payer.paid), 0, 0):
            yield payer.name, len(payer.paid), sums
    yield from wrongly_moved(Payout)
    yield from waiting_otherwise()
    reconciliation.reconcile(by=SYSTEM)
    yield from Balance.objects.exclude(stopped_at=None).values_list("currency", flat=True)


def wrong_packs() -> Iterator[object]:
    """Yield packs that were not executed once, and documents without a seal of their own."""
    for pack in Pack.objects.select_related("revision", "business", "application"):
        told = Event.objects.filter(kind="pack.executed", subject_id=pack.public_id).count()
        documents: list[Document] = list(packs.documents_of(pack))
        in_force = {one.status for one in documents} == {DocumentStatus.IN_FORCE}
        if (pack.status, told, in_force) != (PackStatus.EXECUTED, 1, True):
            yield pack.number, pack.status, pack.trouble, told, in_force


def wrong_deliveries(work: Work) -> Iterator[object]:
    """Yield events of our listeners and of webhooks that did not arrive."""
    yield from EventDelivery.objects.waiting().values_list("listener", "last_error")
    sent = WebhookDelivery.objects.filter(endpoint__in=work.endpoints)
    yield from sent.exclude(status="delivered").values_list("public_id")
    for payer in work.payers:
        expected = WebhookDelivery.objects.filter(endpoint=payer.endpoint)
        bodies: dict[str, set[bytes]] = {}
        for headers, body in payer.receiver.asked:
            bodies.setdefault(headers["Service-Delivery-Id"], set()).add(body)
        yield from set(expected.values_list("public_id", flat=True)) ^ set(bodies)
        yield from (name for name, said in bodies.items() if len(said) > 1)


def wrong_mails(work: Work) -> Iterator[object]:
    """Yield e-mails that did not arrive, and those sent again as another message."""
    ids: dict[tuple[str, str, str], set[str]] = {}
    for mail in work.installation.mail.mails():
        words = (mail["To"], mail["Subject"], mail.get_content())
        ids.setdefault(words, set()).add(mail["Message-ID"])
    yield from (words for words, found in ids.items() if len(found) > 1)
    subjects = " ".join(subject for _, subject, _ in ids)
    yield from (name for name in work.revoked if name not in subjects)


def wrong_ticks() -> Iterator[object]:
    """Yield jobs that the two beats started twice for one tick."""
    with as_owner() as owner:
        ticks = owner.execute(
            "SELECT name, at, at - lag(at) OVER (PARTITION BY name ORDER BY at) FROM ticks"
        ).fetchall()
    periods = {job.name: job.period for job in schedule.jobs()}
    yield from (
        (name, at, gap)
        for name, at, gap in ticks
        if gap is not None and gap.days < 1000 and gap < periods[name] * 0.9
    )
    if len({name for name, *_ in ticks}) < len(periods) / 2:
        yield "the beats start no jobs"


def everything_wrong(work: Work) -> list[object]:
    wrong: list[object] = [*wrong_payouts(work), *wrong_packs(), *wrong_deliveries(work)]
    return [*wrong, *wrong_mails(work), *wrong_ticks(), *chain.verify()]


# The proofs --------------------------------------------------------------------------------------

SECONDS = 6.0
LONG_SECONDS = 25.0
MOST_SECONDS = 60.0


class Cuts:
    """Cuts hosts off, and measures how long each takes to work again."""

    def __init__(self, work: Work) -> None:
        self.work, self.installation = work, work.installation
        self.seconds: dict[str, list[float]] = {}
        self.gate = threading.RLock()

    def cut(self, name: str, seconds: float, *, forget: bool) -> None:
        """Cut a host off for this long; `forget`: services end its connections meanwhile."""
        host = self.installation.hosts[name]
        with self.gate:
            host.cut_off()
            until = time.monotonic() + seconds
            self._wait(min(10, seconds))
        if forget:
            host.is_forgotten()
        self._wait(until - time.monotonic())
        host.come_back(self.installation.network)
        began, since = time.monotonic(), self.installation.clock()
        eventually(lambda: self.installation.works(host, since), every=0.3)
        self.seconds.setdefault(name, []).append(time.monotonic() - began)

    def _wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.work.happen()
            time.sleep(min(left, 3))

    def gated(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function, called only while no cut begins."""

        def at_the_gate(*args: Any, **options: Any) -> Any:
            with self.gate:
                return method(*args, **options)

        return at_the_gate

    def told(self) -> str:
        count = sum(map(len, self.seconds.values()))
        slowest = max(map(max, self.seconds.values()))
        return f"{count} cuts, back at work within {slowest:.0f} s"

    def are_met(self) -> bool:
        return max(map(max, self.seconds.values())) <= MOST_SECONDS


def the_load(work: Work) -> str:
    payers = work.payers
    refused = sum((Counter(payer.refused) for payer in payers), Counter[int]())
    received = sum(len(payer.receiver.asked) for payer in payers)
    ids = {h["Service-Delivery-Id"] for payer in payers for h, _ in payer.receiver.asked}
    return (
        f"{sum(len(payer.paid) for payer in payers):,} payouts"
        f" ({sum(payer.unanswered for payer in payers)} calls without an answer, {dict(refused)},"
        f" {max(payer.longest for payer in payers):.0f} s at most), {Pack.objects.count()} packs,"
        f" {len(ids):,} webhooks ({received - len(ids)} sent again),"
        f" {len(work.installation.mail.messages)} e-mails"
    )


class Walker(Person):
    """A person whose requests are not under way when a cut begins, and whose e-mail is real."""

    cuts: Cuts

    def go(self, path: str) -> Page:
        with self.cuts.gate:
            return super().go(path)

    def reload(self) -> None:
        with self.cuts.gate:
            super().reload()

    def _hear(self, message: ConsoleMessage) -> None:
        # Answers are saved in the background, and saved again after a failure.
        if not re.search("Failed to load resource: .* a status of 50[234] ", message.text):
            super()._hear(message)

    def click(self, at: Locator) -> Page:
        with self.cuts.gate:
            return super().click(at)

    def open_mail(self, subject: str) -> None:
        """Wait for the newest e-mail with that subject and follow its link."""
        eventually(lambda: self._links(subject))
        self.go(self._links(subject)[-1])

    def _links(self, subject: str) -> list[str]:
        mails = self.cuts.installation.mail.mails()
        mine = [one for one in mails if (one["To"], one["Subject"]) == (self.email, subject)]
        return [link for one in mine for link in re.findall(r"https://\S+", one.get_content())[:1]]


@proof("hosts", "each of four hosts cut off under a walk and a financial load", small=0)
def test_a_walk_reaches_a_live_key_while_hosts_are_cut_off(
    proven: Proven,
    installation: Installation,
    chromium: Browser,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = Work(installation, payers=3, pack_count=3)
    cuts = Cuts(work)
    monkeypatch.setattr(Walker, "cuts", cuts, raising=False)
    monkeypatch.setattr(test_the_walk, "call", cuts.gated(test_the_walk.call))
    work.begin()
    walked = threading.Event()

    def cut_all() -> None:
        try:
            while not walked.is_set() or len(cuts.seconds) < len(PARTS):
                for name in PARTS:
                    cuts.cut(name, LONG_SECONDS, forget=True)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as beside:
        cutting = beside.submit(cut_all)
        try:
            person = partial(Walker, chromium, installation.url, ignore_https_errors=True)
            done = test_the_walk.walk(person, installation.url, tmp_path)
        finally:
            walked.set()
        cutting.result()
    work.end()
    wrong = everything_wrong(work)
    figure = (
        f"{len(done)} of {JOURNEYS} journeys, {cuts.told()}, {the_load(work)}, {len(wrong)} wrong"
    )
    met = len(done) == JOURNEYS and not wrong and cuts.are_met()
    proven.reached(figure, met=met, wrong=wrong)


@proof("hosts", "hosts cut off for a moment under a financial load", small=1, full=len(PARTS))
def test_a_short_cut_loses_and_doubles_nothing(proven: Proven, installation: Installation) -> None:
    work = Work(installation, payers=2, pack_count=1)
    cuts = Cuts(work)
    work.begin()
    for name in list(PARTS)[: proven.size]:
        cuts.cut(name, SECONDS, forget=False)
    work.end()
    wrong = everything_wrong(work)
    figure = f"{cuts.told()}, {the_load(work)}, {len(wrong)} wrong"
    proven.reached(figure, met=not wrong and cuts.are_met(), wrong=wrong)
