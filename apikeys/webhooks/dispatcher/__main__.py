"""The dispatcher as a program: it sends deliveries until it is told to stop."""

import asyncio
import gc
import logging
import os
import signal


def main() -> None:
    """Run the dispatcher in this process."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
    from django.conf import settings

    from apikeys.webhooks.dispatcher.dispatcher import Dispatcher
    from console.core import logs

    logs.configure(settings.LOGGING)

    async def deliver() -> None:
        dispatcher = Dispatcher()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, dispatcher.stop)
        # The words that tests and people wait for.
        logging.getLogger("dispatcher").info("dispatcher_started")
        await dispatcher.run()

    gc.collect()
    gc.freeze()
    asyncio.run(deliver())


if __name__ == "__main__":
    main()
