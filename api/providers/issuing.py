"""Order cards from live's issuer. The request for a card waits for its answer.

Nothing is booked before the issuer has confirmed: specification 1. The order carries the ID of the
card, so the same request gives the same card however often it is sent.
"""

import logging
from dataclasses import asdict, dataclass

import orjson

from api.providers import connected, http
from api.providers.configured import ConnectedProvider
from api.providers.installed import ProviderRefused, ProviderSilent
from api.providers.interface import CardOrder, IssuedCard, NoProvider, ProviderAway
from api.providers.messages import CardAnswer
from api.providers.simulated import SimulatedProvider, provider_for
from apikeys.lifecycle import Environment

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ConnectedIssuer:
    """The provider that issues live's cards."""

    provider: ConnectedProvider

    def issue_card(self, order: CardOrder, *, tries: int) -> IssuedCard:  # as the simulated one
        """Return the issued card. Raises ProviderAway until it is, and NoProvider if refused."""
        body = asdict(order) | {"environment": Environment.LIVE}
        del body["card_id"]
        path = f"/cards/{order.card_id}"
        try:
            answer = http.put(self.provider, path, orjson.dumps(body), CardAnswer)
        except (ProviderSilent, ProviderRefused) as problem:
            log.warning("card_not_issued", extra={"card": order.card_id, "problem": str(problem)})
            raise ProviderAway("The issuer has not confirmed the card. Try again later.") from None
        if answer.id != order.card_id or answer.status == "pending":
            raise ProviderAway("The issuer has not confirmed the card yet. Try again later.")
        if answer.status == "refused":
            raise NoProvider("The issuer refuses to issue this card.", reason="card_refused")
        return IssuedCard(answer.last4, answer.expiry_month, answer.expiry_year)


def issuer_for(environment: str) -> SimulatedProvider | ConnectedIssuer:
    """Return who issues cards in the environment. Raises NoProvider if nobody does."""
    if environment == Environment.SANDBOX:
        return provider_for(environment)
    return ConnectedIssuer(connected.provider_for_work("cards"))
