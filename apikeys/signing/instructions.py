"""Where signing is described: the layer above that has the page names it."""

from console.core.registered_route import RegisteredRoute

_PAGE = RegisteredRoute("The page about signing")
register, address = _PAGE.register, _PAGE.address
