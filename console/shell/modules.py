"""Registry of console modules, which other packages register."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from django.db.models import QuerySet, Value

# Count at most this many waiting things, so that a badge costs the same however many there are.
BADGE = 100
Audience = Literal["business", "staff", "public"]
May = Callable[[str], bool]


@dataclass(frozen=True)
class ConsoleModule:
    """One entry in the console's navigation, and who may see it.

    `route`: a URL name; for businesses' modules it takes `business_id`.
    `group`: the heading in the sidebar; without one, the module is only in the command palette.
    `key_hint`: the keys that open it ("g q").
    `waiting`: returns the rows that wait for one of our staff, given them and their permissions,
    in an order that an index has.
    `work_of`: permissions; whoever holds one of them works here, and only they are shown a count.
    `card`: a template on the home page, for public modules, which are in every page's footer.
    `product`: only shown if this product has a place; the route takes it as `module`.
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
    waiting: Callable[[Any, May], QuerySet[Any]] | None = None
    work_of: tuple[str, ...] = ()
    card: str = ""
    product: str = ""

    def is_work(self, may: May) -> bool:
        """Tell whether somebody with these permissions works there."""
        return any(may(permission) for permission in self.work_of)

    def names(self, business_id: str) -> dict[str, str]:
        """Return the route's arguments: the business and the product, where they apply."""
        told = {"business_id": business_id, "module": self.product}
        return {name: value for name, value in told.items() if value}


@dataclass(frozen=True)
class ProductPlace:
    """The heading under which the sidebar lists a product, and its page if not the module's."""

    heading: str
    page: str = ""


# Returns the products that the sidebar lists, in its order, by the business's primary key.
PlacedProducts = Callable[[int], Mapping[str, ProductPlace]]

_modules: dict[str, ConsoleModule] = {}
_placed_products: list[PlacedProducts] = []


def register(*modules: ConsoleModule) -> None:
    """Register modules. Called from AppConfig.ready(), nowhere else."""
    for module in modules:
        if module.key in _modules:
            raise ValueError(f"Console module {module.key} is registered twice.")
        _modules[module.key] = module


def place_products_by(placed: PlacedProducts) -> None:
    """Set the function that places a business's products. Called once, by their package."""
    _placed_products[:] = [placed]


def product_places(business_pk: int) -> Mapping[str, ProductPlace]:
    """Return the products that a business's sidebar lists, in at most one query."""
    return _placed_products[0](business_pk) if _placed_products else {}


def waiting(person: object, may: May) -> Counter[str]:
    """Count what waits for one of our staff, by module, each up to `BADGE`. One query."""
    return count_each(
        {
            module.key: module.waiting(person, may)
            for module in all_modules()
            if module.waiting and module.is_work(may)
        }
    )


def count_each(rows: Mapping[str, QuerySet[Any]]) -> Counter[str]:
    """Count each of these querysets up to `BADGE`, in one query."""
    named = [found.values_list(Value(key), flat=True)[:BADGE] for key, found in rows.items()]
    return Counter(named[0].union(*named[1:], all=True) if named else ())


def all_modules() -> list[ConsoleModule]:
    """Return all modules, in navigation order."""
    return sorted(_modules.values(), key=lambda module: (module.order, module.key))
