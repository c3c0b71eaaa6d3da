"""The demo's keys and signing secrets, in a file that only its owner can read."""

import json
from pathlib import Path

from django.conf import settings


def keep_key(name: str, plain: str) -> None:
    """Save a key, `sandbox` or `live`, readable only by the user who runs the console."""
    _keep(name, plain)


def kept_key(name: str) -> str:
    """Return the saved key of that name, or "" if there is none."""
    return _kept().get(name, "")


def keep_webhook_secret(endpoint_id: str, secret: str) -> None:
    """Save the signing secret of one of the demo's endpoints (`whe_...`)."""
    _keep(endpoint_id, secret)


def kept_webhook_secrets() -> dict[str, str]:
    """Return the signing secrets of the demo's endpoints, in order of creation."""
    return {name: value for name, value in _kept().items() if name.startswith("whe_")}


def _keep(name: str, value: str) -> None:
    path = _path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    path.write_text(json.dumps(_kept() | {name: value}))


def _kept() -> dict[str, str]:
    path = _path()
    text = path.read_text() if path.exists() else ""
    found: dict[str, str] = json.loads(text) if text else {}
    return found


def _path() -> Path:
    return Path(settings.DATA_DIR) / "demo-keys.json"
