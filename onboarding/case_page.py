"""Where our reviewers see an application: the layer above that has the page names its route."""

from console.core.registered_route import RegisteredRoute

_PAGE = RegisteredRoute("The case page")
# By the public id of an application.
register, address = _PAGE.register, _PAGE.address
