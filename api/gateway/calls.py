"""What an operation is told of the call, and the answer that it returns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from apikeys.models import ApiKey, Grant
from console.accounts.models import Business

if TYPE_CHECKING:
    from api.gateway.operations import Operation
    from api.rate_limits import LimitState


@dataclass
class Call:
    """Who calls, in which environment, and what was sent.

    `key` is None where a person reads a page. `limits` are those that the call has spent a token
    of. Under an Idempotency-Key, `tries` counts the tries that found no provider, and `outcome` is
    what an outside party has answered.
    """

    environment: str
    operation: "Operation"
    grant: Grant
    key: ApiKey | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    body: dict[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    ip: str = ""
    version: str = ""
    limits: "Sequence[LimitState]" = ()
    idempotency_key: str = ""
    tries: int = 0
    outcome: Any = None

    @property
    def business(self) -> Business:
        return self.grant.business


@dataclass(slots=True)
class ApiAnswer:
    """What an operation answers, with the status of its row, or another that the row names."""

    body: dict[str, Any]
    headers: Sequence[tuple[str, str]] = ()
    status: int = 0
