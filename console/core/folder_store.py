"""Django storage in a folder of this machine: files appear complete and are never overwritten."""

import os
import tempfile
from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.files.storage import FileSystemStorage

# How the names of unfinished files begin.
_UNFINISHED = ".new-"


class FolderStore(FileSystemStorage):
    """Files in MEDIA_ROOT.

    A file is complete and on disk before it gets its name, so a crash leaves at most an unfinished
    file, which is never listed. Saving under a name that exists raises FileExistsError.
    """

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        """Return the names of folders and of finished files. A missing folder is empty."""
        try:
            folders, files = super().listdir(path)
        except FileNotFoundError:
            return [], []
        return folders, [name for name in files if not name.startswith(_UNFINISHED)]

    def _save(self, name: str, content: "File[Any]") -> str:
        path = Path(self.path(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=_UNFINISHED) as file:
            for chunk in content.chunks():
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
            os.link(file.name, path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        return name
