"""Django storage in an S3-compatible bucket, whose objects are never overwritten."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files import File
from django.core.files.base import ContentFile
from storages.backends.s3 import S3Storage

# Requests may happen while rows are locked, so they end soon.
_LIMITS = {"connect_timeout": 3, "read_timeout": 10, "retries": {"total_max_attempts": 2}}
_KINDS: dict[str, type[OSError]] = {
    "NoSuchKey": FileNotFoundError,
    "PreconditionFailed": FileExistsError,
}


@contextmanager
def _as_os_errors() -> Iterator[None]:
    """Raise the errors of the bucket as a folder would."""
    try:
        yield
    except ClientError as error:
        raise _KINDS.get(error.response["Error"]["Code"], OSError)(str(error)) from error
    except BotoCoreError as error:
        raise OSError(str(error)) from error


class BucketStore(S3Storage):  # type: ignore[misc]  # has no types
    """Objects of one bucket, perhaps under a prefix.

    An object appears complete. Saving under a name that exists raises FileExistsError.
    """

    def get_default_settings(self) -> dict[str, Any]:
        config = Config(
            signature_version="s3v4",
            # Not every service knows newer checksums. The caller checks the bytes itself.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
            **_LIMITS,
        )
        return {**super().get_default_settings(), "client_config": config}

    @_as_os_errors()
    def exists(self, name: str) -> bool:
        return bool(super().exists(name))

    @_as_os_errors()
    def delete(self, name: str) -> None:
        super().delete(name)

    @_as_os_errors()
    def listdir(self, name: str) -> tuple[list[str], list[str]]:
        folders, files = super().listdir(name)
        return folders, files

    @_as_os_errors()
    def _save(self, name: str, content: "File[Any]") -> str:
        self._object(name).put(Body=content.read(), IfNoneMatch="*")
        return name

    @_as_os_errors()
    def _open(self, name: str, mode: str = "rb") -> "File[Any]":
        return ContentFile(self._object(name).get()["Body"].read(), name)

    def _object(self, name: str) -> Any:
        return self.bucket.Object(self._normalize_name(name))
