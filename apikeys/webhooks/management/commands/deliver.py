"""`manage.py deliver`: run the webhook dispatcher."""

import asyncio
import gc
import logging
import signal
from typing import Any

from django.core.management.base import BaseCommand
from django.db.backends.signals import connection_created

from apikeys.webhooks.dispatcher.database import prefer_indexes
from apikeys.webhooks.dispatcher.dispatcher import Dispatcher
from console.hosts import reports


class Command(BaseCommand):
    """Run the webhook dispatcher until stopped."""

    help = "Send webhooks until told to stop. One process is enough; several share the work."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        connection_created.connect(prefer_indexes)
        reports.start("deliver")
        gc.collect()
        gc.freeze()
        asyncio.run(_deliver())


async def _deliver() -> None:
    dispatcher = Dispatcher()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, dispatcher.stop)
    # Tests and people wait for this output.
    logging.getLogger("dispatcher").info("dispatcher_started")
    await dispatcher.run()
