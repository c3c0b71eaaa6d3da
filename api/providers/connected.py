"""Which provider does which work: the simulated one in the sandbox, connected ones in live."""

from api.providers import configured
from apikeys.lifecycle import Environment

# The rates are a file that we publish. They are of use where a provider exchanges at them.
_AS_PART_OF = {"rates": "conversions"}


def serves(environment: str, work: str) -> bool:
    """Tell whether a provider does this work, a product's key, in the environment."""
    work = _AS_PART_OF.get(work, work)
    return environment == Environment.SANDBOX or configured.provider_of(work) is not None
