"""The demo world's sandbox key and its endpoint's secret, in a file that only its owner can read."""

import json
from pathlib import Path

from django.conf import settings


def keep_key(plain: str) -> None:
    """Keep the key where only whoever runs the console can read it."""
    _keep("sandbox", plain)


def kept_key() -> str:
    """Return the key, or nothing when none was made yet."""
    return _kept().get("sandbox", "")


def keep_webhook_secret(endpoint_id: str, secret: str) -> None:
    """Keep the signing secret of the demo's endpoint (`whe_...`) beside the key."""
    _keep("webhook_endpoint", endpoint_id)
    _keep("webhook_secret", secret)


def kept_webhook_endpoint() -> str:
    """Return the id of the demo's endpoint, or nothing when none was made yet."""
    return _kept().get("webhook_endpoint", "")


def kept_webhook_secret() -> str:
    """Return the signing secret of the demo's endpoint, or nothing when none was made yet."""
    return _kept().get("webhook_secret", "")


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
