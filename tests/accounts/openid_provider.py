"""A small OpenID provider on a real port, which signs real tokens and can also misbehave."""

import base64
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from authlib.oauth2.rfc7636 import create_s256_code_challenge
from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.waiting import POLL

CLIENT, SECRET = "console", "a secret of the provider"


class Provider(ThreadingHTTPServer):
    """`person` is who signs in. `claims` and `said` change the ID token and the user's details."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.issuer = f"http://127.0.0.1:{self.server_port}"
        self.key = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
        self.person: dict[str, Any] = {
            "sub": "ada", "email": "ada@example.com", "email_verified": True, "name": "Ada Byron",
            "groups": ["reviewers"],
        }  # fmt: skip
        self.claims: dict[str, Any] = {}
        self.metadata: dict[str, Any] = {}
        self.algorithm = "RS256"
        self.is_down = False
        self.refreshes_identity = False
        self.authenticated_at = time.time()
        self.codes: dict[str, dict[str, str]] = {}
        self.tokens: set[str] = set()
        self.asked: list[str] = []

    def sign_in(self, url: str) -> str:
        """Sign the person in at the URL to which the console led; return where they go back to."""
        asked = dict(parse_qsl(urlsplit(url).query))
        if "login" in asked.get("prompt", ""):
            self.authenticated_at = time.time()
        code = secrets.token_urlsafe()
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def token(self, asked: dict[str, str]) -> str:
        """Return the ID token for a code."""
        now = int(time.time())
        claims = {
            "iss": self.issuer, "aud": CLIENT, "sub": self.person["sub"], "iat": now,
            "exp": now + 300, "auth_time": int(self.authenticated_at),
        } | {name: asked[name] for name in ("nonce",) if name in asked} | self.claims  # fmt: skip
        if self.algorithm == "none":
            parts = ({"alg": "none"}, claims)
            return ".".join(_encoded(json.dumps(part).encode()) for part in parts) + "."
        return jwt.encode({"alg": self.algorithm, "kid": "one"}, claims, self.key)

    def new_tokens(self) -> dict[str, Any]:
        access = secrets.token_urlsafe()
        self.tokens.add(access)
        refresh = f"refresh-{access}"
        return {
            "access_token": access, "refresh_token": refresh, "token_type": "Bearer",
            "expires_in": 300,
        }  # fmt: skip


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        path, provider = self.path, self.server
        provider.asked.append(path)
        if path == "/userinfo":
            token = self.headers["Authorization"].removeprefix("Bearer ")
            known = token in provider.tokens
            self._say(
                provider.person if known else {"error": "invalid_token"}, 200 if known else 401
            )
        elif path == "/keys":
            self._say({"keys": [provider.key.as_dict(private=False)]})
        else:
            self._say(_metadata(provider))

    def do_POST(self) -> None:
        provider = self.server
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        sent = {name: values[0] for name, values in parse_qs(body).items()}
        known = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        provider.asked.append(sent["grant_type"])
        if self.headers["Authorization"] != f"Basic {known}":
            self._say({"error": "invalid_client"}, 401)
        elif sent["grant_type"] == "refresh_token":
            former = sent["refresh_token"].removeprefix("refresh-")
            is_known = former in provider.tokens
            provider.tokens.discard(former)  # a refresh token works once
            fresh = provider.new_tokens() if is_known else {}
            if provider.refreshes_identity:
                fresh["id_token"] = provider.token({})
            self._say(*((fresh,) if is_known else ({"error": "invalid_grant"}, 400)))
        else:
            asked = provider.codes.pop(sent["code"], None)
            if asked is None or asked["code_challenge"] != create_s256_code_challenge(
                sent["code_verifier"]
            ):
                self._say({"error": "invalid_grant"}, 400)
            else:
                self._say(provider.new_tokens() | {"id_token": provider.token(asked)})

    def _say(self, said: Any, status: int = 200) -> None:
        data = json.dumps(said).encode()
        self.send_response(503 if self.server.is_down else status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        pass


def _metadata(provider: Provider) -> dict[str, Any]:
    at = provider.issuer
    return {
        "issuer": at,
        "authorization_endpoint": f"{at}/authorize",
        "token_endpoint": f"{at}/token",
        "userinfo_endpoint": f"{at}/userinfo",
        "jwks_uri": f"{at}/keys",
        "id_token_signing_alg_values_supported": ["RS256", "none"],
    } | provider.metadata


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@contextmanager
def running() -> Iterator[Provider]:
    """Run a provider in a thread."""
    provider = Provider()
    thread = threading.Thread(target=provider.serve_forever, args=(POLL,))
    thread.start()
    yield provider
    provider.shutdown()
    thread.join()
    provider.server_close()
