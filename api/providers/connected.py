"""Which provider does which work: the simulated one in the sandbox, connected ones in live."""

from api.providers import configured
from api.providers.configured import ConnectedProvider
from api.providers.interface import NoProvider
from apikeys.lifecycle import Environment

# The rates are a file that we publish. They are of use where a provider exchanges at them.
_AS_PART_OF = {"rates": "conversions"}


def serves(environment: str, work: str) -> bool:
    """Tell whether a provider does this work, a product's key, in the environment."""
    work = _AS_PART_OF.get(work, work)
    return environment == Environment.SANDBOX or configured.provider_of(work) is not None


def provider_for_work(work: str) -> ConnectedProvider:
    """Return the provider that does this work in live. Raises NoProvider if none is connected."""
    provider = configured.provider_of(work)
    if provider is None:
        raise NoProvider("No provider is connected.", reason="not_connected")
    return provider
