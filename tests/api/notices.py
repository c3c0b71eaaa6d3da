"""Notices of changed keys reach a gateway a moment after the commit; a test waits for them here."""

import threading

from django.db import connection

from api.gateway.cache import Records
from apikeys.change_notices import CHANNEL
from tests.waiting import PATIENCE, eventually

_LAST = "svc_last_notice"


def all_heard(records: Records) -> None:
    """Wait until every notice sent so far has been heard: they keep their order."""
    eventually(lambda: records._alive_until)
    heard, forget = threading.Event(), records.forget

    def listen(what: str = "") -> None:
        forget(what)
        if what == _LAST:
            heard.set()

    records.forget = listen  # type: ignore[method-assign]
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, _LAST])
        assert heard.wait(PATIENCE)
    finally:
        records.forget = forget  # type: ignore[method-assign]
