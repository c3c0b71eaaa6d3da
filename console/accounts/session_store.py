"""Database session store that stores keys as digests and records each session's user."""

from typing import Any, cast

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

from console.accounts.models import Session
from console.core.digests import sha256_hex

_KEY = "_stored_under"


class SessionStore(DatabaseStore):
    """Django's store with our model. The key in the cookie is never stored in the database."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    @staticmethod
    def digest(session_key: str) -> str:
        """Return the digest that is stored for a cookie's key, which needs no slow hash."""
        return sha256_hex(session_key.encode())

    def encode(self, session_dict: dict[str, Any]) -> str:
        """Sign the content together with its key, so that a copy under another key is empty."""
        return super().encode(session_dict | {_KEY: self.digest(self.session_key or "")})

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        content, key = super().decode(session_data), self.digest(self.session_key or "")
        # Sessions of a release before this one do not say it.
        return content if content.pop(_KEY, key) == key else {}

    def _get_session_from_db(self) -> Session | None:
        cookie = self.session_key
        if cookie is None:
            return None
        self._session_key = self.digest(cookie)
        try:
            return super()._get_session_from_db()  # type: ignore[misc,no-any-return]
        finally:
            if self._session_key is not None:
                self._session_key = cookie

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        session = cast(Session, super().create_model_instance(data))
        session.session_key = self.digest(session.session_key)
        kept = Session.objects.filter(pk=session.session_key).first()
        session.user_id = int(data["_auth_user_id"]) if "_auth_user_id" in data else None
        session.ip, session.agent = data.get("ip") or None, data.get("agent", "")[:300]
        if kept:
            session.public_id, session.began_at = kept.public_id, kept.began_at
        return session

    def exists(self, session_key: str) -> bool:
        return Session.objects.filter(pk=self.digest(session_key)).exists()

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        if key is not None:
            Session.objects.filter(pk=self.digest(key)).delete()
