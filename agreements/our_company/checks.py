"""System check (`check --deploy --database default`) that our company details are no example."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Info, Tags, register

from agreements.our_company import company_versions

_HINT = "Legal must enter them on “Our company”, and the head of legal must put them in use."
_INSTEAD = "Put your own details in use while demo data exists, or remove it with `make reset`."


@register(Tags.database, deploy=True)
def our_company_is_real(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Report an error if example details are in use, and an info message if none are.

    Missing details must not be a warning: `prepare` would fail on a fresh installation, where
    nobody can enter them until it has started.
    """
    if not databases:
        return []
    if not company_versions.is_in_use():
        said = "Our company details are not in use yet, so we prepare no packs."
        return [Info(said, hint=_HINT, id="console.I012")]
    if company_versions.current().is_example:
        said = "The company details in use are an example, and contracts would name that company."
        return [Error(said, hint=_INSTEAD, id="console.E012")]
    return []
