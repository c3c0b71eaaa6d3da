"""Discovery of every lifecycle in the project, with the model it belongs to."""

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
    """A model, the constraint on its status column, and the lifecycle that both use."""

    model: type[models.Model]
    constraint: MovesConstraint
    lifecycle: Lifecycle

    @property
    def title(self) -> str:
        return str(self.model._meta.verbose_name).capitalize()


def tables() -> list[Lifecycle]:
    """Return every Lifecycle defined in a package's `lifecycle` module."""
    found = []
    for config in apps.get_app_configs():
        name = f"{config.name}.lifecycle"
        # This package has a module of that name too, which defines the class itself.
        if name != Lifecycle.__module__ and find_spec(name) is not None:
            things = vars(import_module(name)).values()
            found += [thing for thing in things if isinstance(thing, Lifecycle)]
    return found


def bound() -> Iterator[Bound]:
    """Yield every model that has a lifecycle, in the order of the layers."""
    by_arrows = {tuple(table.arrows()): table for table in tables()}
    for model in apps.get_models():
        for constraint in model._meta.constraints:
            if isinstance(constraint, MovesConstraint):
                yield Bound(model, constraint, by_arrows[tuple(constraint.arrows)])
