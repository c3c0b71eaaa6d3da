"""Deployment check (`check --deploy --database default`): files in use must be unchanged."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Tags, register

from console.publishing import in_use


@register(Tags.database, deploy=True)
def files_are_those_in_use(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Refuse files that were changed after they were put in use: nobody approved the change."""
    return [
        Error(said, id="console.E010") for _ in databases or () for said in in_use.changed_files()
    ]
