"""Every lifecycle of the project with the model that it belongs to, found and never listed."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from django.apps import apps
from django.db import models

from console.core.lifecycle import Lifecycle
from console.core.moves_constraint import MovesConstraint


@dataclass(frozen=True)
class Bound:
    """A model, the constraint on its column, and the table that both hold."""

    model: type[models.Model]
    constraint: MovesConstraint
    lifecycle: Lifecycle

    @property
    def title(self) -> str:
        return str(self.model._meta.verbose_name).capitalize()


def tables() -> list[Lifecycle]:
    """Return every Lifecycle that a package's `lifecycle` module holds."""
    found = []
    for config in apps.get_app_configs():
        name = f"{config.name}.lifecycle"
        # This floor has a module of that name, which holds the class itself.
        if name != Lifecycle.__module__ and find_spec(name) is not None:
            things = vars(import_module(name)).values()
            found += [thing for thing in things if isinstance(thing, Lifecycle)]
    return found


def bound() -> Iterator[Bound]:
    """Yield every model that moves by a table, in the order of the floors."""
    by_arrows = {tuple(table.arrows()): table for table in tables()}
    for model in apps.get_models():
        for constraint in model._meta.constraints:
            if isinstance(constraint, MovesConstraint):
                yield Bound(model, constraint, by_arrows[tuple(constraint.arrows)])
