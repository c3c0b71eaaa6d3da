"""The demo's live provider: examples/provider, a simulated bank that `make run` starts."""

import base64
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path

from console.launch.setup import ROOT
from console.launch.supervisor import Part

SECRETS = ("PROVIDER_REQUEST_SECRET", "PROVIDER_EVENT_SECRET")
NAME = "bank"
_WORK = ("payouts", "payroll", "refunds", "virtual_accounts", "remittance", "conversions", "cards")
_PORTS_BESIDE = 900


def new_secret() -> str:
    """Return a new secret of Standard Webhooks."""
    return f"whsec_{base64.b64encode(secrets.token_bytes(36)).decode()}"


def port_beside(port: str) -> str:
    """Return the provider's port for a console on this one, or "" if that is no port."""
    return str(int(port) + _PORTS_BESIDE) if port.isdigit() else ""


def setting(settings: Mapping[str, str], known: Mapping[str, str]) -> str:
    """Return LIVE_PROVIDERS for it."""
    request, event = (known[name] for name in SECRETS)
    work = ", ".join(f'"{word}"' for word in _WORK)
    return f"""[{NAME}]
url = "{address(settings)}"
work = [{work}]
request_secret = "{request}"
event_secrets = ["{event}"]
"""


def is_used(settings: Mapping[str, str], known: Mapping[str, str]) -> bool:
    """Tell whether live works through it, and not through another that the operator named."""
    return settings.get("LIVE_PROVIDERS") == setting(settings, known)


def address(settings: Mapping[str, str]) -> str:
    """Return the address of its page, on which people play payers and the bank."""
    return f"http://127.0.0.1:{settings['PROVIDER_PORT']}"


def part(data: Path, settings: Mapping[str, str], known: Mapping[str, str]) -> Part:
    """Return the process. It gets its own settings and none of the console's."""
    own = {
        **{name: known[name] for name in SECRETS},
        "PATH": settings["PATH"],
        "PROVIDER_NAME": NAME,
        "PROVIDER_PORT": settings["PROVIDER_PORT"],
        "PROVIDER_DATA": str(data / "provider.sqlite3"),
        "CONSOLE_URL": f"http://localhost:{settings['PORT']}",
        "PYTHONUNBUFFERED": "1",
    }
    program = str(ROOT / "examples" / "provider" / "provider.py")
    return Part("provider", [sys.executable, program], environment=own)
