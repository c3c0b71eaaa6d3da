"""The first call with a rotated secret: written down at once, before the call goes on."""

from django.db import connection

from api.gateway.calls import Call
from apikeys.keys import rotation
from console.accounts.actors import SYSTEM
from console.audit import context


def note(call: Call) -> None:
    """Start the old secret's grace. Once for each rotation, so it may cost a transaction."""
    call.require_thread()
    around = context.Circumstances(request_id=call.request_id, ip=call.ip, via="api")
    try:
        with context.during(around):
            rotation.note_first_use(call.record.key_pk, by=SYSTEM)
    finally:
        connection.close_if_unusable_or_obsolete()
