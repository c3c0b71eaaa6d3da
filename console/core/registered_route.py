"""A page of a layer above: it is linked to from below, and names its route when it is there."""

from django.urls import reverse


class RegisteredRoute:
    """The route of one page, of a thing by its public id or of none; `what` is for the error."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._route = ""

    def register(self, route: str) -> None:
        """Name the route. Called from AppConfig.ready(), nowhere else."""
        if self._route:
            raise ValueError(f"{self._what} is registered twice.")
        self._route = route

    def address(self, *public_id: str) -> str:
        return reverse(self._route, args=public_id)
