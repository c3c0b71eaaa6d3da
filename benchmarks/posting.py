"""Posts one signed body again and again over kept connections: what sending costs at least."""

import asyncio
import sys
import time

import aiohttp

from apikeys.webhooks import signatures, webhook_secrets

AT_ONCE = 50
# What a delivery carries whatever it is.
ALWAYS = {
    "Content-Type": "application/json",
    "User-Agent": "Service-Webhooks/1",
    "Accept-Encoding": "identity",
    "WebHook-Request-Origin": "localhost",
    "Service-Event-Id": "evt_1",
    "Service-Event-Type": "fact.told",
    "Service-Delivery-Id": "whd_1",
    "Service-Delivery-Attempt": "1",
    "webhook-id": "evt_1",
}


async def post(url: str, body: bytes, times: int) -> None:
    secret = webhook_secrets.make()
    left = iter(range(times))
    connector = aiohttp.TCPConnector(limit=0)

    async def some(session: aiohttp.ClientSession) -> None:
        for _ in left:
            now = int(time.time())
            headers = {
                **ALWAYS,
                "webhook-timestamp": str(now),
                "Service-Signature": signatures.service_signature(secret, now, body),
                "webhook-signature": signatures.standard_signature([secret], "evt_1", now, body),
            }
            async with session.post(url, data=body, headers=headers) as response:
                await response.read()

    async with aiohttp.ClientSession(connector=connector) as session:
        await asyncio.gather(*(some(session) for _ in range(AT_ONCE)))


async def main(url: str, size: int, times: int) -> None:
    body = b"{" + b" " * (size - 2) + b"}"
    await post(url, body, AT_ONCE * 4)
    begun = time.process_time()
    await post(url, body, times)
    sys.stdout.write(str((time.process_time() - begun) / times * 1e6))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
