"""The demo's keys and signing secrets, in a file that only its owner can read."""

import json
from pathlib import Path

from django.conf import settings


def keep(name: str, plain: str) -> None:
    """Save a key (`sandbox` or `live`), or the signing secret of an endpoint (`whe_...`).

    Only the user who runs the console can read the file.
    """
    path = _path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    path.write_text(json.dumps(_kept() | {name: plain}))


def kept_key(name: str) -> str:
    """Return the saved key of that name, or "" if there is none."""
    return _kept().get(name, "")


def kept_webhook_secrets() -> dict[str, str]:
    """Return the signing secrets of the demo's endpoints, in order of creation."""
    return {name: value for name, value in _kept().items() if name.startswith("whe_")}


def _kept() -> dict[str, str]:
    path = _path()
    text = path.read_text() if path.exists() else ""
    found: dict[str, str] = json.loads(text) if text else {}
    return found


def _path() -> Path:
    return Path(settings.DATA_DIR) / "demo-keys.json"
