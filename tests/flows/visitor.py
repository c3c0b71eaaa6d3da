"""An HTTP client without a browser: cookies, forms, and requests that no browser sends."""

import http.cookiejar
import json
import re
import socket
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from contextlib import closing
from html import unescape
from typing import Any

Typed = str | list[str]


class Visitor:
    """An HTTP client that keeps cookies, fills in forms and remembers the last page.

    All visitors share `refused`, the error pages they got, and `opened_again`, pages on which a
    secret was shown before. `answered` is called after each response.
    """

    refused: list[str] = []
    opened_again: list[str] = []
    answered: Callable[[], object]

    def __init__(self, url: str) -> None:
        self.url, self.page, self.status = url, "", 0
        self._last: urllib.request.Request | None = None
        self.cookies = http.cookiejar.CookieJar()
        handler = urllib.request.HTTPCookieProcessor(self.cookies)
        self._opener = urllib.request.build_opener(handler)

    @classmethod
    def begin(cls, answered: Callable[[], object]) -> None:
        """Clear the shared pages, and call `answered` after each response from now on."""
        cls.refused.clear()
        cls.opened_again.clear()
        cls.answered = staticmethod(answered)

    def get(self, path: str, headers: dict[str, str] | None = None) -> str:
        return self._open(urllib.request.Request(self.url + path, headers=headers or {}))

    def post(self, path: str, /, on: str = "", **fields: Typed) -> str:
        """Open the page (`on` if given) and send its form with these fields."""
        page = self.get(on or path)
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        hidden = re.findall(r'<input type="hidden" name="(once|replaces)" value="([^"]+)"', page)
        sent = {"csrfmiddlewaretoken": token[1] if token else "", **dict(hidden), **fields}
        data = urllib.parse.urlencode(sent, doseq=True).encode()
        return self._open(urllib.request.Request(self.url + path, data=data))

    def call(self, path: str, body: dict[str, Any], headers: dict[str, str] | None = None) -> str:
        """Send JSON as an API client does."""
        sent = {"Content-Type": "application/json", **(headers or {})}
        data = json.dumps(body).encode()
        return self._open(urllib.request.Request(self.url + path, data=data, headers=sent))

    def send_again(self) -> str:
        """Repeat the last request, as reloading the page does."""
        assert self._last is not None
        return self._open(self._last)

    def open_again(self, *paths: str) -> None:
        """Open pages that showed, or could show, a secret; each must answer 200."""
        for path in paths:
            self.opened_again.append(self.get(path))
            assert self.status == 200, f"{path} answers {self.status}."

    def cookie(self, name: str) -> str:
        return next(str(one.value) for one in self.cookies if one.name == name)

    def _open(self, request: urllib.request.Request) -> str:
        self._last = request
        try:
            with self._opener.open(request, timeout=30) as answer:
                self.status, self.page = answer.status, unescape(answer.read().decode())
        except urllib.error.HTTPError as refused:
            with closing(refused):
                self.status, self.page = refused.code, unescape(refused.read().decode())
            self.refused.append(self.page)
        self.answered()
        return self.page


def send_raw(url: str, method: str, target: str, **headers: str) -> int:
    """Send a request with the target and headers exactly as given; return the status."""
    host = url.partition("://")[2]
    headers = {"Host": host, "Connection": "close", "Content-Length": "0", **headers}
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {said}" for name, said in headers.items())]
    name, _, port = host.partition(":")
    with socket.create_connection((name, int(port)), timeout=30) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b"")).decode(errors="replace")
    status = int(answer.split(" ", 2)[1])
    if status >= 400:
        Visitor.refused.append(answer)
    return status


def at_odd_addresses(url: str, path: str, **headers: str) -> None:
    """Request a secret link with odd characters, in wrong places and in other headers.

    No browser sends requests like these, so the server may quote them in a log.
    """
    bare, token = path.rstrip("/"), path.strip("/").rpartition("/")[2]
    odd = (f"{bare}é/", f"{bare}%C3%A9/", f"{bare}\\/", f"{bare}%5C/", f"{bare}%0A/", f"{bare}x/")
    elsewhere = (f"{path}more", f"{path}?{token}", f"/?{token}", f"/sign-in/?next={path}", bare)
    for target in (*odd, *elsewhere):
        for method in ("GET", "POST"):
            send_raw(url, method, target, **headers)
    for said in (f"{url}{path} and more", f"https://elsewhere.example{path} x", f"{token} {token}"):
        for name in ("Referer", "Origin"):
            send_raw(url, "POST", "/", **{name: said}, **headers)
    send_raw(url, "GET", f"{path} and more", **headers)
    send_raw(url, "GET", "/", Host=f"{token}.example/x")
