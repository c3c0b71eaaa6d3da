"""The demo world's one sandbox key, kept in a file that only its owner can read."""

import json
from pathlib import Path

from django.conf import settings


def keep_key(plain: str) -> None:
    """Keep the key where only whoever runs the console can read it."""
    path = _path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    path.write_text(json.dumps({"sandbox": plain}))


def kept_key() -> str:
    """Return the key, or nothing when none was made yet."""
    path = _path()
    return str(json.loads(path.read_text())["sandbox"]) if path.exists() else ""


def _path() -> Path:
    return Path(settings.DATA_DIR) / "demo-keys.json"
