"""The loops of the dispatcher: claim and settle on one connection, upkeep on another, listening."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable

import psycopg

from apikeys.webhooks.dispatcher import claims, recovery, retries, settling
from apikeys.webhooks.dispatcher.database import DatabaseLink, connect
from apikeys.webhooks.dispatcher.presence import Presence
from apikeys.webhooks.dispatcher.records import CHANNEL, OUTLIVED, Claimed, ReceiverAnswer, Result
from apikeys.webhooks.dispatcher.sender import Clock, Sender

log = logging.getLogger(__name__)

# Deliveries under way at once, over all endpoints.
CONNECTIONS = 512
# Results are gathered for so long before they are written together.
_GATHER = 0.01
_POLL = (0.2, 1.0)
_AFTER_TROUBLE = 1.0
# Endpoints asked about in one claim: those that do not fit are asked about in the next.
_ASKED = 1024


class Dispatcher:
    """Sends what is due until it is told to stop; what is under way then is finished first."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.sender = Sender(self.clock)
        self.presence = Presence()
        self.free = CONNECTIONS
        self._stopping = asyncio.Event()
        self._wake = asyncio.Event()
        # In the order in which they were heard of.
        self._candidates: dict[int, None] = {}
        self._results: list[Result] = []
        self._sending: set[asyncio.Task[None]] = set()

    def stop(self) -> None:
        """Claim nothing more, and end when what is under way has ended."""
        self._stopping.set()
        self._wake.set()

    async def run(self) -> None:
        upkeep = [
            asyncio.create_task(self._listen()),
            asyncio.create_task(self._poll()),
            asyncio.create_task(self._upkeep()),
        ]
        try:
            await self._pump()
        finally:
            for task in upkeep:
                task.cancel()
            await asyncio.gather(*upkeep, return_exceptions=True)
            await self.sender.close()

    async def _pump(self) -> None:
        """Settle what ended and claim what is due, again and again, on one connection."""
        database = DatabaseLink()
        while not (self._stopping.is_set() and not self._sending and not self._results):
            await self._wake.wait()
            self._wake.clear()
            if self._sending or self._results:
                await asyncio.sleep(_GATHER)
            try:
                await self._settle(database)
                await self._claim(database)
            except psycopg.Error as error:
                # Nothing is lost: results are kept and written later, and leases end by themselves.
                log.warning("dispatcher_database", extra={"why": type(error).__name__})
                await asyncio.sleep(_AFTER_TROUBLE)
                self._wake.set()
        await database.close()

    async def _settle(self, database: DatabaseLink) -> None:
        while self._results:
            page = self._results[: settling.MOST]
            await self._write(database, page)
            del self._results[: len(page)]
            self._candidates.update(dict.fromkeys(result.claimed.endpoint for result in page))

    async def _write(self, database: DatabaseLink, page: list[Result]) -> None:
        """Write a page of results; where the database refuses it, each by itself.

        A result that it takes in no company is dropped: its lease ends, and it is tried again.
        """
        try:
            await settling.write(database, page)
        except psycopg.OperationalError:
            raise  # it is not there, or was busy: the same again later
        except psycopg.Error:
            if len(page) == 1:
                log.exception("delivery_not_settled", extra={"id": page[0].claimed.delivery_id})
                return
            for result in page:
                await self._write(database, [result])

    async def _claim(self, database: DatabaseLink) -> None:
        while self._candidates and self.free > 0 and not self._stopping.is_set():
            asked = list(self._candidates)[:_ASKED]
            try:
                claim = await claims.take(database, asked, self.free)
            except psycopg.errors.UniqueViolation:
                continue  # another dispatcher was given the same resource in this moment
            if claim.now is not None:
                self.clock.set(claim.now)
            self._forget(asked, claim)
            for claimed in claim.deliveries:
                self._start(claimed)

    def _forget(self, asked: list[int], claim: claims.Claim) -> None:
        """Ask no more about endpoints that gave all they have; the poll finds them again."""
        given: dict[int, int] = {}
        for claimed in claim.deliveries:
            given[claimed.endpoint] = given.get(claimed.endpoint, 0) + 1
        everyone = len(claim.looked_at) < min(claims.LANES, self.free)
        for endpoint in asked if everyone else claim.looked_at:
            self._candidates.pop(endpoint, None)
            if given.get(endpoint, 0) >= claims.TURN:
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
        if claimed.outlived or claimed.body is None:
            return Result(claimed, ReceiverAnswer(at=self.clock.now()), OUTLIVED)
        try:
            answer = await self.sender.send(claimed)
        # A secret that cannot be opened, or a fault of ours: it is tried again like any failure.
        except Exception:
            log.exception("delivery_not_sent", extra={"delivery": claimed.delivery_id})
            answer = ReceiverAnswer(at=self.clock.now(), error="could not be sent")
        return retries.settle(claimed, answer)

    async def _listen(self) -> None:
        """Hear of endpoints that have something. What is missed, the poll finds."""
        while True:
            try:
                connection = await connect()
                async with connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    async for notice in connection.notifies():
                        if notice.payload.isdigit():
                            self._hear([int(notice.payload)])
            except psycopg.Error as error:
                log.warning("dispatcher_listener", extra={"why": type(error).__name__})
                await asyncio.sleep(_AFTER_TROUBLE)

    async def _poll(self) -> None:
        database = DatabaseLink()

        async def look() -> None:
            if found := await claims.due(database):
                self._hear(found)

        while True:
            await self._try(look)
            await asyncio.sleep(random.uniform(*_POLL))  # noqa: S311

    async def _upkeep(self) -> None:
        """Every second, three, and sixty: what keeps the queue and its counters right."""
        database = DatabaseLink()
        second = 0
        while True:
            await self._try(lambda: recovery.reap(database))
            await self._try(lambda: recovery.bring_forward(database))
            if second % 3 == 0:
                await self._try(lambda: self.presence.beat(database))
            if second % 60 == 0:
                await self._try(lambda: recovery.reconcile(database))
                await self._try(lambda: self.presence.forget_others(database))
            second += 1
            await asyncio.sleep(1)

    async def _try(self, what: Callable[[], Awaitable[object]]) -> None:
        try:
            await what()
        except psycopg.Error as error:
            log.warning("dispatcher_database", extra={"why": type(error).__name__})
            await asyncio.sleep(_AFTER_TROUBLE)

    def _hear(self, endpoints: list[int]) -> None:
        self._candidates.update(dict.fromkeys(endpoints))
        self._wake.set()
