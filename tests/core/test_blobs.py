"""Files are stored once and verified on every read, in a folder and in a bucket alike."""

import errno
import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile
from django.core.files.storage import storages

from console import env
from console.core import blobs
from console.core.folder_store import FolderStore
from tests import bucket as buckets
from tests.bucket import Bucket

DATA = b"a paper"
SHA256 = hashlib.sha256(DATA).hexdigest()
NAME = f"{SHA256[:2]}/{SHA256}"


class Folder:
    """The folder of a store, seen by its owner."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def names(self) -> list[str]:
        found = (path for path in self.path.rglob("*") if path.is_file())
        return sorted(str(path.relative_to(self.path)) for path in found)

    def overwrite(self, name: str, data: bytes) -> None:
        (self.path / name).write_bytes(data)

    def delete(self, name: str) -> None:
        (self.path / name).unlink()


class FullStore(FolderStore):
    """A folder on a disk that is full."""

    def _save(self, name: str, content: Any) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture(scope="module")
def service() -> Iterator[Bucket]:
    with buckets.running() as bucket:
        yield bucket


@pytest.fixture
def bucket(service: Bucket, settings: Any, monkeypatch: Any) -> Bucket:
    """Store documents in an empty bucket."""
    service.empty()
    settings.STORAGES = service.storages(monkeypatch, settings)
    return service


@pytest.fixture(params=["folder", "bucket"])
def store(request: Any, settings: Any, tmp_path: Path) -> Any:
    if request.param == "bucket":
        return request.getfixturevalue("bucket")
    settings.MEDIA_ROOT = tmp_path
    return Folder(tmp_path)


def test_a_file_is_stored_once_under_its_hash(store):
    assert blobs.put(DATA) == blobs.put(DATA) == SHA256
    assert blobs.get(SHA256) == DATA
    assert store.names() == [NAME]


def test_a_folder_is_a_place_of_its_own(store):
    blobs.put(DATA, "evidence/app_1")
    assert blobs.exists(SHA256, "evidence/app_1")
    assert not blobs.exists(SHA256)
    blobs.put(DATA)
    blobs.delete(SHA256, "evidence/app_1")
    blobs.delete(SHA256, "evidence/app_1")
    assert store.names() == [NAME]


@pytest.mark.parametrize("altered", [b"a  paper", b"", DATA[:-1]])
def test_altered_bytes_are_never_handed_out_and_never_repaired(store, altered):
    blobs.put(DATA)
    store.overwrite(NAME, altered)
    with pytest.raises(blobs.BlobDamaged, match="is not what was stored"):
        blobs.get(SHA256)
    with pytest.raises(blobs.BlobDamaged, match="is not what was stored"):
        blobs.put(DATA)


def test_missing_bytes_are_named(store):
    blobs.put(DATA)
    store.delete(NAME)
    with pytest.raises(blobs.BlobDamaged, match=f"{SHA256} is missing"):
        blobs.get(SHA256)


def test_a_name_is_written_once_however_many_try(store):
    def write(number: int) -> bool:
        try:
            blobs.write_once("audit/one", b"%d" % number)
        except (blobs.BlobDamaged, blobs.StoreUnavailable):
            return False
        return True

    with ThreadPoolExecutor(8) as at_once:
        written = list(at_once.map(write, range(8)))
    assert sum(written) == 1
    assert blobs.read("audit/one") == b"%d" % written.index(True)
    assert blobs.names("audit") == ["one"]


def test_names_are_listed_in_order(store):
    for name in ("b", "a", "c"):
        blobs.write_once(f"audit/checks/{name}", b"x")
    blobs.write_once("audit/heads/d", b"x")
    assert blobs.names("audit/checks") == ["a", "b", "c"]
    assert blobs.names("audit/nothing") == []


def test_the_check_of_the_store_leaves_nothing(store):
    blobs.check_writable()
    assert store.names() == []


def test_the_check_refuses_a_store_that_does_not_refuse_to_overwrite(settings):
    lax = {"BACKEND": "django.core.files.storage.InMemoryStorage"}
    settings.STORAGES = {**settings.STORAGES, "documents": lax}
    with pytest.raises(blobs.StoreUnavailable, match="lets files be overwritten"):
        blobs.check_writable()


def test_a_bucket_refuses_to_overwrite_by_itself(bucket, settings):
    """Even between the check and the write of another host."""
    for store in (storages["documents"], storages.create_storage(settings.STORAGES["documents"])):
        if not bucket.names():
            store.save("one", ContentFile(b"first"))
        else:
            with pytest.raises(FileExistsError):
                store.save("one", ContentFile(b"second"))
    assert blobs.read("one") == b"first"


CALLS = [
    lambda: blobs.put(DATA),
    lambda: blobs.get(SHA256),
    lambda: blobs.exists(SHA256),
    lambda: blobs.delete(SHA256, "x"),
    lambda: blobs.names("audit"),
    blobs.check_writable,
]


def test_a_bucket_that_is_away_is_unavailable_and_not_damaged(settings, monkeypatch):
    settings.STORAGES = Bucket().storages(monkeypatch, settings)
    for call in CALLS:
        with pytest.raises(blobs.StoreUnavailable, match="Could not connect"):
            call()


def test_a_bucket_that_does_not_exist_is_unavailable(bucket, settings):
    options = {**settings.STORAGES["documents"]["OPTIONS"], "bucket_name": "none"}
    store = {**settings.STORAGES["documents"], "OPTIONS": options}
    settings.STORAGES = {**settings.STORAGES, "documents": store}
    for call in (lambda: blobs.get(SHA256), lambda: blobs.put(DATA)):
        with pytest.raises(blobs.StoreUnavailable, match="does not exist"):
            call()


def test_a_full_disk_is_unavailable_and_leaves_nothing(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    full = {"BACKEND": f"{FullStore.__module__}.FullStore"}
    settings.STORAGES = {**settings.STORAGES, "documents": full}
    with pytest.raises(blobs.StoreUnavailable, match="No space left"):
        blobs.put(DATA)
    assert Folder(tmp_path).names() == []


def test_an_unfinished_file_is_not_listed(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    blobs.write_once("audit/a", b"x")
    (tmp_path / "audit/.new-a").touch()
    assert blobs.names("audit") == ["a"]
    assert (tmp_path / "audit/a").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "value",
    ["http://host/bucket", "s3://", "documents", "s3://bucket?endpont=https://host"],
)
def test_a_malformed_setting_is_refused(monkeypatch, value):
    monkeypatch.setenv("DOCUMENT_STORE", value)
    with pytest.raises(ImproperlyConfigured, match="say s3://bucket/prefix"):
        env.document_store("DOCUMENT_STORE", key="")


def test_the_deploy_check_stores_a_file(settings, monkeypatch):
    def found() -> list[str]:
        said = run_checks(databases=["default"], include_deployment_checks=True)
        return [str(one.msg) for one in said if one.id == "console.E014"]

    assert found() == []
    settings.STORAGES = Bucket().storages(monkeypatch, settings)
    (said,) = found()
    assert said.startswith("The document store cannot be used now: Could not connect")
