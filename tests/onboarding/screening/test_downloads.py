"""Lists are downloaded from the URLs in the settings, only when they changed, and within limits."""

import math
import socket
from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.core.management.base import SystemCheckError

from console.core import clock
from onboarding.screening import figures, lists, scheduled
from onboarding.screening.models import ListEntry, ListVersion
from tests.core import receiving
from tests.onboarding.screening import files
from tests.onboarding.screening.commands import screening

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
LATER = scheduled.EVERY + timedelta(minutes=1)


class Publisher:
    """A publisher's server. `raw` answers replace those made of `files`."""

    def __init__(self) -> None:
        self.at = ""
        self.files: dict[str, str] = {}
        self.raw: dict[str, bytes] = {}
        self.statuses: list[int] = []

    def behave(self, one: socket.socket) -> None:
        head, *lines = receiving.request_of(one).decode().split("\r\n")
        path = head.split()[1]
        raw = self.raw.get(path) or self._answer(path, lines)
        self.statuses.append(int(raw.split()[1]))
        one.sendall(raw)

    def _answer(self, path: str, lines: list[str]) -> bytes:
        if path not in self.files:
            return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        body = self.files[path].encode("latin-1")
        tag = f'"{hash(body)}"'
        if f"If-None-Match: {tag}" in lines:
            return b"HTTP/1.1 304 Not Modified\r\n\r\n"
        head = f"HTTP/1.1 200 OK\r\nETag: {tag}\r\nContent-Length: {len(body)}\r\n\r\n"
        return head.encode() + body

    def asked(self) -> list[int]:
        """Return the statuses answered since the last call, sorted."""
        said, self.statuses = sorted(self.statuses), []
        return said


@pytest.fixture
def publisher(settings) -> Iterator[Publisher]:
    settings.WEBHOOK_EGRESS_ALLOW_CIDRS = ["127.0.0.0/8"]
    publisher = Publisher()
    with receiving.listening(publisher.behave) as server:
        at = f"http://127.0.0.1:{server.port}"
        settings.SCREENING_LISTS = {"un": f"{at}/un.xml"}
        publisher.files["/un.xml"] = files.un(["Ana", "Bo"])
        publisher.at = at
        yield publisher


def names() -> set[str]:
    return set(ListEntry.objects.current().values_list("name", flat=True))


def test_an_unchanged_list_is_not_sent_again_and_stays_fresh(publisher):
    with time_machine.travel(clock.now(), tick=False) as travel:
        scheduled.download_due()
        scheduled.download_due()  # not due
        assert publisher.asked() == [200]
        first = ListVersion.objects.get()

        travel.shift(LATER)
        scheduled.download_due()

        assert publisher.asked() == [304]
        again = ListVersion.objects.get()
        assert again.checked_at - first.checked_at == LATER
        assert again.in_force_from == first.in_force_from

        publisher.files["/un.xml"] = files.un(["Ana", "Bo", "Cy"], date="2026-11-02")
        travel.shift(LATER)
        scheduled.download_due()
        assert publisher.asked() == [200]
        assert len(names()) == 3


def test_the_three_files_of_ofac_are_fetched_together(publisher):
    line = '36,"LISTED, Gorvan",individual,"T"' + ",-0- " * 8 + "\r\n"
    publisher.files |= {"/x/SDN.CSV": line, "/x/ALT.CSV": "", "/x/ADD.CSV": ""}
    source = f"{publisher.at}/x/SDN.CSV"
    screening("import", "ofac", source)
    assert publisher.asked() == [200, 200, 200]
    assert names() == {"Gorvan LISTED"}
    screening("import", "ofac", source)
    assert publisher.asked() == [304, 304, 304]

    publisher.files["/x/ALT.CSV"] = '36,12,"aka","LYSTED, Gorvan",-0- \r\n'
    screening("import", "ofac", source)

    assert ListVersion.objects.in_force().get().name_count == 2


def test_redirects_are_followed_but_not_to_private_networks(publisher, settings):
    moved = "HTTP/1.1 302 Found\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n"
    publisher.raw["/moved"] = moved.format("/un.xml").encode()
    publisher.raw["/inside"] = moved.format("http://10.0.0.1/un.xml").encode()
    publisher.raw["/round"] = moved.format("/round").encode()

    screening("import", "un", f"{publisher.at}/moved")
    assert len(names()) == 2
    for path, words in (("inside", "not allowed"), ("round", "too many redirects")):
        with pytest.raises(CommandError, match=words):
            screening("import", "un", f"{publisher.at}/{path}")


@pytest.mark.parametrize(
    ("raw", "error"),
    [
        (b"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n", "http 503"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n<CONSOLIDATED_LIST/>", "not complete"),
        (CHUNKED + b"5\r\n<CONS", "not complete"),
        (b"HTTP/1.1 200 OK\r\n\r\n<CONSOLIDATED_LIST/>", "not complete"),
        (CHUNKED + b"100001\r\n" + b" " * (1024**2 + 1), "larger than 1 MB"),
        (b"HTTP/1.1 304 Not Modified\r\n\r\n", "http 304|redirect not followed"),
    ],
)
def test_a_failed_download_is_told_and_tried_again(publisher, settings, raw, error):
    settings.SCREENING_LIST_MB = 1
    publisher.raw["/un.xml"] = raw
    with time_machine.travel(clock.now(), tick=False) as travel:
        scheduled.download_due()

        assert not ListVersion.objects.exists()
        told = " ".join(lists.concerns())
        assert "could not be downloaded" in told
        assert any(one in told for one in error.split("|"))
        assert "has not been imported" in lists.unusable()
        (ages,) = figures.read()
        assert ages.values == {("un",): math.inf}

        del publisher.raw["/un.xml"]
        travel.shift(scheduled.AGAIN_AFTER + timedelta(seconds=1))
        scheduled.download_due()
    assert lists.concerns() == []
    assert lists.unusable() == ""


def test_a_refused_file_is_told_and_leaves_the_old_version(publisher):
    with time_machine.travel(clock.now(), tick=False) as travel:
        scheduled.download_due()
        publisher.files["/un.xml"] = files.un(["Ana"], date="2026-11-02")
        travel.shift(LATER)
        scheduled.download_due()

        (told,) = lists.concerns()
        assert "was refused" in told
        assert "lacks 1 of the 2" in told
        assert len(names()) == 2


def test_the_status_says_that_there_is_no_list(settings):
    settings.SCREENING_LISTS = {}
    assert screening("status") == "No sanctions list has been imported.\n"


def test_a_list_that_is_too_old_stops_screening(publisher):
    with time_machine.travel(clock.now(), tick=False) as travel:
        screening("download")
        travel.shift(timedelta(days=6, hours=23))
        assert lists.unusable() == ""
        travel.shift(timedelta(hours=2))
        assert "too long ago" in lists.unusable()
        assert "too long ago" in screening("status")


def test_a_list_in_the_settings_is_needed(publisher, settings):
    screening("download")
    settings.SCREENING_LISTS = settings.SCREENING_LISTS | {"eu": f"{publisher.at}/eu.xml"}

    assert "European Union" in lists.unusable()
    with pytest.raises(CommandError, match="http 404"):
        screening("download")


@pytest.mark.parametrize("pair", [{"fbi": "https://lists.example/"}, {"un": "un.xml"}])
def test_settings_with_an_unknown_list_or_no_url_are_refused(settings, pair):
    settings.SCREENING_LISTS = pair
    with pytest.raises(SystemCheckError, match="SCREENING_LISTS"):
        call_command("check")
