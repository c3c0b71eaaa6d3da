"""Messages to whoever is signed in stand in their session; a stranger's in a signed cookie.

So that no row begins before somebody has given the right password.
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
    """Django's cookie of messages, of this host alone where there is HTTPS."""

    cookie_name = "__Host-messages" if settings.HTTPS else "messages"


class Storage(BaseStorage):
    """Reads both places, writes into the one that fits whoever asks."""

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(request, *args, **kwargs)
        # Their way to store is not in the stubs.
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
