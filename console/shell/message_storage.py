"""Message storage: in the session for signed-in users, in a signed cookie for everybody else.

So anonymous visitors create no session rows.
"""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.messages.storage.base import BaseStorage, Message
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.session import SessionStorage
from django.http import HttpRequest, HttpResponseBase


class OwnCookie(CookieStorage):
    """Django's message cookie, with the `__Host-` prefix under HTTPS."""

    cookie_name = "__Host-messages" if settings.HTTPS else "messages"


class Storage(BaseStorage):
    """Reads both storages, and writes to the one that fits the user."""

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(request, *args, **kwargs)
        # Their `_store` is not in the stubs.
        self._session: Any = SessionStorage(request)
        self._cookie: Any = OwnCookie(request)

    def _get(self, *args: Any, **kwargs: Any) -> tuple[list[Message], bool]:
        return [*self._cookie, *self._session], True

    def _store(
        self, messages: Iterable[Message], response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> list[Message]:
        signed_in = SESSION_KEY in self.request.session
        keeps, empties = (
            (self._session, self._cookie) if signed_in else (self._cookie, self._session)
        )
        if list(empties):
            empties._store([], response)
        return keeps._store(list(messages), response) or []
