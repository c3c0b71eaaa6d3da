"""The main loops of the dispatcher: claim and settle, listen, poll, and maintenance."""

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Callable

import psycopg
from django import db

from apikeys.webhooks import waiting
from apikeys.webhooks.dispatcher import due_deliveries, lanes, recovery, retries, settling
from apikeys.webhooks.dispatcher.database import DatabaseThread, listening_connection
from apikeys.webhooks.dispatcher.presence import Presence
from apikeys.webhooks.dispatcher.records import OUTLIVED, Claimed, ReceiverAnswer, Result
from apikeys.webhooks.dispatcher.sender import Clock, Sender
from apikeys.webhooks.models import CHANNEL
from console.events import background_health

log = logging.getLogger(__name__)

# Maximum number of concurrent deliveries over all endpoints.
CONNECTIONS = 512
# Seconds to collect results, since one transaction for a hundred costs little more than for one.
_GATHER = 0.05
_POLL = (0.2, 1.0)
_AFTER_TROUBLE = 1.0
# Maximum number of endpoints per claim; the rest wait for the next one.
_ASKED = 1024


class Dispatcher:
    """Send due deliveries until stopped; deliveries in progress are finished first."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.sender = Sender(self.clock)
        self.presence = Presence()
        self.free = CONNECTIONS
        self._stopping = asyncio.Event()
        self._wake = asyncio.Event()
        # Endpoints that may have due deliveries, in order of arrival.
        self._candidates: dict[int, None] = {}
        self._results: list[Result] = []
        self._sending: set[asyncio.Task[None]] = set()

    def stop(self) -> None:
        """Stop claiming, and end when the deliveries in progress are done."""
        self._stopping.set()
        self._wake.set()

    async def run(self) -> None:
        upkeep = DatabaseThread()
        beside = [
            asyncio.create_task(self._listen()),
            asyncio.create_task(self._poll(upkeep)),
            asyncio.create_task(self._upkeep(upkeep)),
        ]
        try:
            await self._pump()
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
            await upkeep.close()
            await self.sender.close()

    async def _pump(self) -> None:
        """Settle results and claim due deliveries in a loop, in one thread."""
        thread = DatabaseThread()
        while not (self._stopping.is_set() and not self._sending and not self._results):
            await self._wake.wait()
            self._wake.clear()
            if self._sending or self._results:
                await asyncio.sleep(_GATHER)
            try:
                await self._settle(thread)
                await self._claim(thread)
            except db.Error as error:
                # Results are kept and written later; leases expire by themselves.
                log.warning("dispatcher_database", extra={"why": type(error).__name__})
                await asyncio.sleep(_AFTER_TROUBLE)
                self._wake.set()
        await thread.close()

    async def _settle(self, thread: DatabaseThread) -> None:
        while self._results:
            page = self._results[: settling.MOST]
            await self._write(thread, page)
            del self._results[: len(page)]
            self._candidates.update(
                dict.fromkeys(result.claimed.queued.endpoint_id for result in page)
            )

    async def _write(self, thread: DatabaseThread, page: list[Result]) -> None:
        """Write a page of results; if the database refuses it, write each one by itself.

        A result that is refused even then is dropped: its lease expires, and the delivery is
        retried.
        """
        try:
            await thread.run(settling.write, page)
        except (db.OperationalError, db.InterfaceError):
            raise  # the database is down or busy: try again later
        except db.Error:
            if len(page) == 1:
                delivery = page[0].claimed.queued.public_id
                log.exception("delivery_not_settled", extra={"id": delivery})
                return
            for result in page:
                await self._write(thread, [result])

    async def _claim(self, thread: DatabaseThread) -> None:
        while self._candidates and self.free > 0 and not self._stopping.is_set():
            asked = list(self._candidates)[:_ASKED]
            claim = await thread.run(due_deliveries.take, asked, self.free)
            self.clock.set(claim.now.timestamp())
            self._forget(asked, claim)
            for claimed in claim.deliveries:
                self._start(claimed)

    def _forget(self, asked: list[int], claim: due_deliveries.Claim) -> None:
        """Drop endpoints that have no more due deliveries; the poll finds them again."""
        given = Counter(claimed.queued.endpoint_id for claimed in claim.deliveries)
        everyone = len(claim.looked_at) < min(due_deliveries.LANES, self.free)
        for endpoint in asked if everyone else claim.looked_at:
            self._candidates.pop(endpoint, None)
            if given[endpoint] >= lanes.TURN:
                self._candidates[endpoint] = None

    def _start(self, claimed: Claimed) -> None:
        self.free -= 1
        task = asyncio.create_task(self._deliver(claimed))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _deliver(self, claimed: Claimed) -> None:
        result = await self._result(claimed)
        self.free += 1
        self.presence.sent += 1
        self.presence.failed += not result.answer.accepted
        self._results.append(result)
        self._wake.set()

    async def _result(self, claimed: Claimed) -> Result:
        if claimed.body is None:
            return Result(claimed, ReceiverAnswer(at=self.clock.now()), OUTLIVED)
        try:
            answer = await self.sender.send(claimed)
        # An unreadable secret or a bug of ours: retried like any other failure.
        except Exception:
            log.exception("delivery_not_sent", extra={"delivery": claimed.queued.public_id})
            answer = ReceiverAnswer(at=self.clock.now(), error="could not be sent")
        return retries.settle(claimed, answer)

    async def _listen(self) -> None:
        """Listen for endpoints with new deliveries. The poll finds those that are missed."""
        while True:
            try:
                async with await listening_connection() as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    async for notice in connection.notifies():
                        if notice.payload.isdigit():
                            self._hear([int(notice.payload)])
            except psycopg.Error as error:
                log.warning("dispatcher_listener", extra={"why": type(error).__name__})
                await asyncio.sleep(_AFTER_TROUBLE)

    async def _poll(self, thread: DatabaseThread) -> None:
        def look() -> None:
            if found := waiting.endpoints_due():
                loop.call_soon_threadsafe(self._hear, found)

        loop = asyncio.get_running_loop()
        while True:
            await self._try(thread, look)
            await asyncio.sleep(random.uniform(*_POLL))  # noqa: S311

    async def _upkeep(self, thread: DatabaseThread) -> None:
        """Run the maintenance of queue and counters every 1, 3 and 60 seconds."""
        second = 0
        while True:
            await self._try(thread, recovery.reap)
            await self._try(thread, recovery.bring_forward)
            if second % 3 == 0:
                await self._try(thread, self.presence.beat)
            if second % 60 == 0:
                await self._try(thread, recovery.reconcile)
                await self._try(thread, self.presence.forget_others)
                await self._try(thread, background_health.log_silence)
            second += 1
            await asyncio.sleep(1)

    async def _try(self, thread: DatabaseThread, work: Callable[[], object]) -> None:
        try:
            await thread.run(work)
        except db.Error as error:
            log.warning("dispatcher_database", extra={"why": type(error).__name__})
            await asyncio.sleep(_AFTER_TROUBLE)

    def _hear(self, endpoints: list[int]) -> None:
        self._candidates.update(dict.fromkeys(endpoints))
        self._wake.set()
