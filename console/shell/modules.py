"""The registry of console modules: packages register, the shell never imports them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

# So many things that wait are counted, and no more: a badge costs the same however many there are.
BADGE = 100
Audience = Literal["business", "staff", "public"]


@dataclass(frozen=True)
class ConsoleModule:
    """One place in the console: where it is, and who may see it.

    `route` is a URL name; a business's modules receive `business_id`. Without a `group` the
    module is an action: the palette offers it, the rail does not show it. `key_hint` is what
    one types to go there ("g q"). `count` says how many things wait there, for a person
    (`request.user`) and, on a business's pages, the business's public id, up to `BADGE`. It is
    asked where the person has one of the permissions `work_of`, whose holders work there. What is
    open to the public stands at the foot of every page, and with its `card`, a template, on the
    first page. The module of a `product` stands only where that product's module is shown to the
    business, and its route receives the product as `module`.
    """

    key: str
    name: str
    route: str
    icon: str
    group: str = ""
    audience: Audience = "business"
    permission: str = ""
    order: int = 100
    key_hint: str = ""
    count: Callable[[object, str], int] | None = None
    work_of: tuple[str, ...] = ()
    card: str = ""
    product: str = ""

    def is_work(self, may: Callable[[str], bool]) -> bool:
        """Tell whether somebody with these permissions works there."""
        return any(may(permission) for permission in self.work_of)

    def waiting(self, user: object, business_id: str, may: Callable[[str], bool]) -> int:
        """Return how many things wait there for a person, up to `BADGE`."""
        if self.count is None or (self.work_of and not self.is_work(may)):
            return 0
        return self.count(user, business_id)

    def names(self, business_id: str) -> dict[str, str]:
        """Return what its route is told: on the pages of a business which one, and which module."""
        told = {"business_id": business_id, "module": self.product}
        return {name: value for name, value in told.items() if value}


def bounded(rows: Any) -> int:
    """Count a queryset to `BADGE`."""
    return int(rows.order_by()[:BADGE].count())


# Which products' modules are shown to a business, by its key in the database.
ShownProducts = Callable[[int], frozenset[str]]

_modules: dict[str, ConsoleModule] = {}
_shown_products: list[ShownProducts] = []


def register(module: ConsoleModule) -> None:
    """Add a module. Called from AppConfig.ready(), nowhere else."""
    if module.key in _modules:
        raise ValueError(f"Console module {module.key} is registered twice.")
    _modules[module.key] = module


def show_products_by(shown: ShownProducts) -> None:
    """Say who knows which products' modules a business sees. Called once, from the catalogue."""
    _shown_products[:] = [shown]


def shown_products(business_pk: int) -> frozenset[str]:
    """Return the products whose modules a business sees: one query at most."""
    return _shown_products[0](business_pk) if _shown_products else frozenset()


def all_modules() -> list[ConsoleModule]:
    """Return every module, in the order of the rail."""
    return sorted(_modules.values(), key=lambda module: (module.order, module.key))
