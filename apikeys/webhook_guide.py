"""The documentation of deliveries and their verifiers: the layer above has the page."""

from console.core.registered_route import RegisteredRoute

_PAGE = RegisteredRoute("The documentation of webhooks")
register, address = _PAGE.register, _PAGE.address
