"""Which provider serves an environment: the sandbox has its own, live has none yet (D-24)."""

from api.sandbox.provider import NoProvider, Provider
from api.sandbox.sandbox_provider import SandboxProvider
from apikeys.lifecycle import Environment

_PROVIDERS: dict[str, Provider] = {Environment.SANDBOX: SandboxProvider()}


def is_enabled(environment: str) -> bool:
    """Tell whether anybody serves the environment."""
    return environment in _PROVIDERS


def provider_for(environment: str) -> Provider:
    """Return who serves the environment, or raise NoProvider."""
    if environment not in _PROVIDERS:
        raise NoProvider("No provider is connected.")
    return _PROVIDERS[environment]
