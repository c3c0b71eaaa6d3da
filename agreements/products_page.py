"""Where our staff see the products of a business: the layer above that has the page names it."""

from console.core.registered_route import RegisteredRoute

_PAGE = RegisteredRoute("The page of the products of a business")
# By the public id of a business.
register, address = _PAGE.register, _PAGE.address
