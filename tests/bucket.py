"""An S3-compatible service on this machine, for tests of documents in a bucket."""

import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import boto3

from console import env
from tests.services import free_port
from tests.waiting import eventually

NAME, KEY, SECRET = "documents", "a-key", "a-secret"


class Bucket:
    """A bucket, seen by its owner, who can change what the console never changes."""

    def __init__(self, address: str = "127.0.0.1") -> None:
        """Listen on loopback, or for other hosts on every address; they use this one."""
        self.address, self.port = address, free_port()
        self.here = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        self.client: Any = boto3.client(
            "s3",
            endpoint_url=self.here,
            region_name="eu-west-1",
            aws_access_key_id=KEY,
            aws_secret_access_key=SECRET,
        )

    @property
    def endpoint(self) -> str:
        return f"http://{self.address}:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        """Return the settings of a console that uses the bucket."""
        return self._settings(self.endpoint)

    def storages(self, monkeypatch: Any, settings: Any) -> dict[str, Any]:
        """Return Django's STORAGES with the bucket for documents, reached on this machine."""
        for name, value in self._settings(self.here).items():
            monkeypatch.setenv(name, value)
        store = env.document_store("DOCUMENT_STORE", key=f"{KEY}:{SECRET}")
        return {**settings.STORAGES, "documents": store}

    def start(self) -> None:
        """Start the service with an empty bucket."""
        listen = "127.0.0.1" if self.address == "127.0.0.1" else "0.0.0.0"
        words = [sys.executable, "-m", "moto.server", "-H", listen, "-p", str(self.port)]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(words, stdin=quiet, stdout=quiet, stderr=quiet)
        eventually(self._answers)
        self.client.create_bucket(
            Bucket=NAME, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"}
        )

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def names(self) -> list[str]:
        found = self.client.list_objects_v2(Bucket=NAME).get("Contents", [])
        return [one["Key"].removeprefix("console/") for one in found]

    def overwrite(self, name: str, data: bytes) -> None:
        self.client.put_object(Bucket=NAME, Key=f"console/{name}", Body=data)

    def delete(self, name: str) -> None:
        self.client.delete_object(Bucket=NAME, Key=f"console/{name}")

    def empty(self) -> None:
        for name in self.names():
            self.delete(name)

    def _settings(self, endpoint: str) -> dict[str, str]:
        address = f"s3://{NAME}/console?endpoint={endpoint}&region=eu-west-1"
        return {"DOCUMENT_STORE": address, "DOCUMENT_STORE_KEY": f"{KEY}:{SECRET}"}

    def _answers(self) -> bool:
        try:
            urllib.request.urlopen(self.here, timeout=10).close()
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False
        return True


@contextmanager
def running() -> Iterator[Bucket]:
    bucket = Bucket()
    bucket.start()
    yield bucket
    bucket.stop()
