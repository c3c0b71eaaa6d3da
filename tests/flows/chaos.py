"""A business's walk over HTTP by people who try again, and the parts that are killed meanwhile."""

import contextlib
import http.client
import http.cookiejar
import os
import re
import signal
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

import redis

from tests import factories
from tests.flows.visitor import Visitor

# Longer than every time limit of a page.
_MOST_SECONDS = 40
_MOST_SECONDS_OF_A_WALK = 900
_PAUSE = 0.5


class TryAgain(Exception):
    """There was no answer, or one that says to try again."""


@dataclass
class AnswersGot:
    """All answers that people got, counted; and the wrong ones."""

    by_kind: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    # The fault that is going on, and whether it takes away whoever answers.
    fault: str = "no fault"
    may_be_silent: bool = False

    def silent(self, request: urllib.request.Request, why: object) -> None:
        self.by_kind["none"] += 1
        if not self.may_be_silent:
            self.wrong.append(f"{self.fault}: {_words(request)} got no answer: {why!r}")

    def count(self, request: urllib.request.Request, status: int, headers: Any, page: str) -> None:
        self.by_kind[str(status)] += 1
        said = "<h1" in page and "Retry-After" in headers
        if not (status < 400 or status in (409, 422) or (status == 503 and said)):
            self.wrong.append(f"{self.fault}: {_words(request)} answered {status}: {page[:300]}")


def _words(request: urllib.request.Request) -> str:
    return f"{request.get_method()} {request.selector}"


class Retrier(Visitor):
    """A signed-in person who tries again when a page fails; one business at a time."""

    def __init__(self, url: str, session: str, seed: str, answers: AnswersGot) -> None:
        super().__init__(url)
        self.at, self.seed, self.answers = "", bytes.fromhex(seed), answers
        self.lock = threading.Lock()
        self._sent: set[str] = set()
        self.cookies.set_cookie(_cookie(session))

    def _open(self, request: urllib.request.Request) -> str:
        try:
            with self._opener.open(request, timeout=_MOST_SECONDS) as answer:
                self.at, headers = answer.url, answer.headers
                self.status, self.page = answer.status, unescape(answer.read().decode())
        except urllib.error.HTTPError as refused:
            with refused:
                self.at, headers = refused.url, refused.headers
                self.status, self.page = refused.code, unescape(refused.read().decode())
        except (OSError, http.client.HTTPException) as gone:
            self.answers.silent(request, gone)
            raise TryAgain from gone
        self.answers.count(request, self.status, headers, self.page)
        if self.status >= 500:
            raise TryAgain
        if "/confirm/" in self.at and request.data is None:
            self._confirm()
        return self.page

    def page_text(self) -> str:
        """Return the words of the last page."""
        main = self.page.partition("<main")[2].partition("</main")[0]
        return f"{self.at}: " + " ".join(re.sub("<[^>]*>", " ", main).split())[:1500]

    def send(self, path: str, action: str = "", **fields: str) -> bool:
        """Send the form of that page as it is, with these fields, if the page has it."""
        main = self.get(path).partition("<main")[2]
        for opening, form in re.findall(r"(<form[^>]*>)(.*?)</form>", main, re.DOTALL):
            to = re.search(r'action="([^"]*)"', opening)
            if 'method="post"' in opening and action in (to[1] if to else ""):
                if 'name="code"' in form:
                    fields["code"] = self._new_code()
                self._post(to[1] if to else path, dict(_inputs(form)) | fields)
                return True
        return False

    def _post(self, path: str, fields: dict[str, str]) -> None:
        data = urllib.parse.urlencode(fields).encode()
        self._open(urllib.request.Request(self.url + path, data=data))
        if "/confirm/" in self.at:
            self._confirm()

    def _confirm(self) -> None:
        """Enter the one-time code, each only once, and do the step again."""
        code = self._new_code()
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.page)
        assert found, self.page
        fields = {"csrfmiddlewaretoken": found[1], "code": code}
        data = urllib.parse.urlencode(fields).encode()
        self._open(urllib.request.Request(self.at, data=data))
        raise TryAgain

    def _new_code(self) -> str:
        """Wait for a one-time code that was not sent yet."""
        while (code := factories.a_code(self.seed)) in self._sent:
            time.sleep(1)
        self._sent.add(code)
        return code


def _cookie(session: str) -> http.cookiejar.Cookie:
    at: dict[str, Any] = {
        "domain": "localhost.local",
        "domain_specified": True,
        "domain_initial_dot": False,
    }
    path: dict[str, Any] = {
        "path": "/",
        "path_specified": True,
        "port": None,
        "port_specified": False,
    }
    rest: dict[str, Any] = {"secure": False, "expires": None, "discard": True, "rest": {}}
    no_words: dict[str, Any] = {"comment": None, "comment_url": None}
    return http.cookiejar.Cookie(0, "session", session, **at, **path, **rest, **no_words)


def _inputs(form: str) -> Iterator[tuple[str, str]]:
    """Yield the fields of a form that are filled in: hidden ones, and ticked boxes."""
    for tag in re.findall(r"<input[^>]*>", form):
        said = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if said.get("type") == "hidden":
            yield said["name"], said.get("value", "")
        elif re.search(r"\schecked\b", tag):
            yield said["name"], said.get("value", "on")


class BusinessWalk:
    """One business, from the answered questionnaire to the executed pack."""

    def __init__(self, case: dict[str, str], owner: Retrier, staff: dict[str, Retrier]) -> None:
        self.owner, self.staff = owner, staff
        self.own, self.case = f"/b/{case['business']}/", f"/review/{case['application']}/"
        self.until = time.monotonic() + _MOST_SECONDS_OF_A_WALK

    def go(self) -> None:
        """Take every step, each until the pages show that it is done."""
        self._until(self._submitted)
        self._until(self._cleared)
        self._until(self._read)
        self._until(self._signed)
        for who, at in (("compliance", "approve/"), ("commercial", "approve-products/"),
                        ("legal", "approve/"), ("countersignatory", "countersign/")):  # fmt: skip
            seen: list[bool] = []
            self._until(partial(self._decided, self.staff[who], at, seen))
        self._until(lambda: "we have sealed every document" in self.owner.get(self._pack))

    @property
    def _pack(self) -> str:
        return f"{self.own}agreements/"

    def _until(self, step: Callable[[], bool]) -> None:
        while True:
            if time.monotonic() > self.until:
                seen = [person.page_text() for person in (self.owner, *self.staff.values())]
                raise AssertionError(f"{self.case} does not get on: {step}, {seen}")
            with contextlib.suppress(TryAgain):
                if step():
                    return
            time.sleep(_PAUSE)

    def _submitted(self) -> bool:
        check = f"{self.own}access/check/"
        self.owner.send(check, "/submit/", declared="on")
        self.owner.get(check)
        return not self.owner.at.endswith(check)

    def _cleared(self) -> bool:
        analyst = self.staff["analyst"]
        with analyst.lock:
            page = analyst.get(self.case)
            for check in set(re.findall(r"/review/checks/\w+/decide/", page)):
                analyst.send(check, passed="yes", reason="We compared it with the register.")
            if f"{self.case}clear/" in page:
                analyst.send(f"{self.case}clear/")
        return "/documents/" in self.owner.get(self._pack)

    def _read(self) -> bool:
        documents = set(re.findall(rf"{self._pack}documents/\w+/", self.owner.get(self._pack)))
        return not sum(self.owner.send(one, "/accept/") for one in documents) and bool(documents)

    def _signed(self) -> bool:
        self.owner.send(f"{self._pack}sign/")
        self.owner.get(f"{self._pack}sign/")
        return self.owner.at.endswith(self._pack)

    def _decided(self, person: Retrier, address: str, seen: list[bool]) -> bool:
        """Tell whether the decision is no longer offered, after it was."""
        with person.lock:
            if f"{self.case}{address}" not in person.get(self.case):
                return bool(seen)
            seen.append(True)
            role = next(who for who, one in self.staff.items() if one is person)
            person.send(f"{self.case}{address}?role={role}")
        return False


# Parts that are killed -------------------------------------------------------


def children(pid: int) -> list[int]:
    """Return the processes that it started, or none if it has ended."""
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def tree(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    return [pid, *(below for child in children(pid) for below in tree(child))]


def kill(*pids: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def empty(broker_url: str) -> None:
    """Delete everything that the broker has."""
    path = broker_url.partition("://")[2].partition("?")[0]
    with contextlib.closing(redis.Redis(unix_socket_path=path)) as client:
        client.flushall()
