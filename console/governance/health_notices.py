"""What our operators should know before it stops somebody: each package tells its own."""

from collections.abc import Callable

Teller = Callable[[], list[str]]
_tellers: dict[str, Teller] = {}


def register(about: str, teller: Teller) -> None:
    """Add a teller: sentences, none when all is well. Called from AppConfig.ready(), nowhere else.

    It is asked whenever an operator opens the page, so it asks nobody outside.
    """
    if about in _tellers:
        raise ValueError(f"Concerns about {about} are registered twice.")
    _tellers[about] = teller


def told() -> list[str]:
    """Return what every package has to say now."""
    return [sentence for teller in _tellers.values() for sentence in teller()]
