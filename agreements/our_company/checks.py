"""What `check --deploy --database default` says of our company: an example is refused."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Info, Tags, register

from agreements.our_company import company_versions

_HINT = "Somebody in legal enters them under “Versions in use”; the head of legal puts them in use."
_INSTEAD = "Put your own in use while the demo world runs, or empty it with `make reset`."


@register(Tags.database, deploy=True)
def our_company_is_real(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Refuse an example in our contracts. Only tell where nothing is in use.

    A fresh installation has nobody yet who could enter the details, and it must start for that: a
    warning would keep `prepare` from it.
    """
    if not databases:
        return []
    if not company_versions.is_in_use():
        said = "Our company details are not in use yet, so no pack is prepared."
        return [Info(said, hint=_HINT, id="console.I012")]
    if company_versions.current().is_example:
        said = "Our company details in use are an example, and contracts would name it."
        return [Error(said, hint=_INSTEAD, id="console.E012")]
    return []
