"""Get the files of a list ready to import, from a path or a URL.

A source is a folder, a file or a URL. OFAC's list consists of three files, which are found next to
the one that the source names. Files may be compressed with gzip or zip.
"""

import gzip
import hashlib
import re
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from django.conf import settings

from console.core import downloads
from console.core.outbound import Patience
from onboarding.screening.formats import ofac
from onboarding.screening.formats.parties import UnusableList
from onboarding.screening.models import ListKind

_SECONDS = Patience(lookup=5.0, connect=10.0, total=600.0)
_PIECE = 1024 * 1024
# No publisher's archive has more files.
_MOST_FILES = 20
_MAIN = re.compile(r"sdn(?=\.csv)", re.IGNORECASE)
# By URL: the headers for the next conditional request.
Validators = Mapping[str, Mapping[str, str]]


class SourceUnreachable(Exception):
    """The files could not be fetched, so nothing was imported. The message says why."""


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True)
class StagedList:
    """Files that are ready to import. `path` is the one file, or OFAC's folder of three.

    `sha256` is the hash of the file, or of the lines that `sha256sum` prints about several.
    """

    path: Path
    source: str
    sha256: str
    validators: Validators = field(default_factory=dict)


def is_url(source: str) -> bool:
    return urlsplit(source).scheme in ("http", "https")


@contextmanager
def staged(kind: str, source: str, *, known: Validators) -> Iterator[StagedList | None]:
    """Yield the files of a list, or None if a URL still has the files that `known` describes."""
    with tempfile.TemporaryDirectory() as temporary:
        given, ready = Path(temporary, "given"), Path(temporary, "ready")
        given.mkdir()
        ready.mkdir()
        validators: Validators | None = {}
        try:
            if is_url(source):
                validators = _download(kind, source, given, known)
                files = sorted(given.iterdir())
            else:
                files = _local(kind, Path(source))
            left = _most_bytes()
            for file in files if validators is not None else ():
                left = _unpack(file, ready, left)
        except OSError as error:
            raise SourceUnreachable(f"{source} cannot be read: {error.strerror}.") from error
        if validators is None:
            yield None
            return
        path = ready if kind == ListKind.OFAC else _only_file(ready)
        yield StagedList(path, source, _hash(kind, path), validators)


def _local(kind: str, path: Path) -> list[Path]:
    """Return the files that a path stands for."""
    if kind != ListKind.OFAC or path.suffix.lower() == ".zip":
        found = [path]
    else:
        folder = path if path.is_dir() else path.parent
        found = [one for one in sorted(folder.glob("*")) if _plain_name(one) in ofac.FILES]
    if not found or not all(one.is_file() for one in found):
        raise SourceUnreachable(f"There is no file of this list at {path}.")
    return found


def _plain_name(path: Path) -> str:
    return path.name.lower().removesuffix(".gz")


def _download(kind: str, source: str, into: Path, known: Validators) -> Validators | None:
    """Download the files and return their validators, or None if none has changed."""
    urls = {"list": source}
    if kind == ListKind.OFAC and _MAIN.search(source):
        urls = {name: _beside(source, name) for name in ofac.FILES}
    found: dict[str, Mapping[str, str]] = {}
    fresh = [name for name, url in urls.items() if _fetch(url, into / name, found, known)]
    if not fresh:
        return None
    for name in urls.keys() - set(fresh):  # one of several has changed, so we need them all
        _fetch(urls[name], into / name, found, {})
    return found


def _beside(url: str, name: str) -> str:
    """Return the URL of another file next to `sdn.csv`, in the same case."""
    stem = name.removesuffix(".csv")
    return _MAIN.sub(lambda main: stem.upper() if main[0].isupper() else stem, url)


def _fetch(url: str, file: Path, found: dict[str, Mapping[str, str]], known: Validators) -> bool:
    """Download one file and note its validators. Return False if it has not changed."""
    headers = {"User-Agent": "access-console", **known.get(url, {})}
    with file.open("wb") as into:
        answer = downloads.download(url, into, headers, most_bytes=_most_bytes(), patience=_SECONDS)
    if answer.status == HTTPStatus.NOT_MODIFIED and known.get(url):
        file.unlink()
        found[url] = known[url]
        return False
    if answer.error:
        raise SourceUnreachable(f"{url}: {answer.error}")
    sent = {"If-None-Match": "etag", "If-Modified-Since": "last-modified"}
    found[url] = {
        name: answer.headers[header] for name, header in sent.items() if header in answer.headers
    }
    return True


def _most_bytes() -> int:
    return int(settings.SCREENING_LIST_MB) * 1024**2


def _unpack(file: Path, ready: Path, left: int) -> int:
    """Copy a file, or what it contains, of at most `left` bytes. Return how many are left."""
    with file.open("rb") as given:
        magic = given.read(4)
    try:
        if magic == b"PK\x03\x04":
            with zipfile.ZipFile(file) as archive:
                members = [one for one in archive.infolist() if not one.is_dir()]
                if len(members) > _MOST_FILES:
                    raise UnusableList(f"The archive contains {len(members)} files.")
                for member in members:
                    with archive.open(member) as packed:
                        left = _copy(packed, ready / Path(member.filename).name.lower(), left)
        elif magic[:2] == b"\x1f\x8b":
            with gzip.open(file) as packed:
                left = _copy(packed, ready / _plain_name(file), left)
        else:
            with file.open("rb") as plain:
                left = _copy(plain, ready / _plain_name(file), left)
    except (zipfile.BadZipFile, gzip.BadGzipFile, zlib.error, EOFError, RuntimeError) as error:
        raise UnusableList(f"The compressed file is not complete: {error}") from error
    return left


def _copy(given: _Readable, to: Path, left: int) -> int:
    with to.open("wb") as copy:
        while piece := given.read(_PIECE):
            left -= len(piece)
            if left < 0:
                raise UnusableList(f"The list is larger than {settings.SCREENING_LIST_MB} MB.")
            copy.write(piece)
    return left


def _only_file(ready: Path) -> Path:
    files = list(ready.iterdir())
    if len(files) != 1:
        raise UnusableList(f"The archive contains {len(files)} files instead of one.")
    return files[0]


def _hash(kind: str, path: Path) -> str:
    if kind != ListKind.OFAC:
        return _file_hash(path)
    if missing := [name for name in ofac.FILES if not (path / name).is_file()]:
        raise UnusableList(f"{missing[0]} is missing.")
    lines = "".join(f"{_file_hash(path / name)}  {name}\n" for name in ofac.FILES)
    return hashlib.sha256(lines.encode()).hexdigest()


def _file_hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
