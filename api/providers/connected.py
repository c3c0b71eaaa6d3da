"""Which provider does which work: the simulated one in the sandbox, connected ones in live."""

from api.providers import configured
from apikeys.lifecycle import Environment


def serves(environment: str, work: str) -> bool:
    """Tell whether a provider does this work, a product's key, in the environment."""
    return environment == Environment.SANDBOX or configured.provider_of(work) is not None
