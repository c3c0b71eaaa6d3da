"""Which provider answers which kind of check, by the setting `CHECK_PROVIDERS`.

A provider is one of ours, or a class of an installed package.
"""

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from console.core import installed_classes
from onboarding import simulation
from onboarding.checks.list_screening import ListScreening
from onboarding.checks.numbers import CheckDigits
from onboarding.checks.providers import CheckProvider, NoCheckProvider
from onboarding.checks.register_check import Registers
from onboarding.checks.simulated import Identity, Register, Screening
from onboarding.checks.yente import Yente
from onboarding.models.check import CheckKind
from onboarding.screening import lists

# The entry point of classes of installed packages.
INSTALLED = "access_console.check_providers"
NOBODY = NoCheckProvider()
REVIEWER = "reviewer"
PROVIDERS: dict[str, CheckProvider] = {REVIEWER: NOBODY} | {
    provider.name: provider
    for provider in (
        *(CheckDigits(), Registers(), ListScreening(), Yente()),
        *(Register(), Screening(), Identity()),
    )
}
# Kinds that the setting does not list. An installation without any contract can use these.
BUILT_IN = {
    CheckKind.NUMBER: CheckDigits.name,
    CheckKind.REGISTRY: Registers.name,
    CheckKind.SCREENING: ListScreening.name,
    CheckKind.OWNERS: Registers.name,
}
SIMULATED = BUILT_IN | {
    CheckKind.REGISTRY: Register.name,
    CheckKind.SCREENING: Screening.name,
    CheckKind.OWNERS: Register.name,
    **dict.fromkeys((CheckKind.SIGNATORY, CheckKind.IDENTITY, CheckKind.ADDRESS), Identity.name),
}


def provider_of(kind: str) -> CheckProvider:
    """Return the provider for this kind of check. Simulated providers answer only in demo mode."""
    defaults = SIMULATED if simulation.is_allowed() else BUILT_IN
    provider = _named((defaults | settings.CHECK_PROVIDERS).get(kind, REVIEWER))
    if provider is None:  # every process refused such a setting when it started
        return NOBODY
    return NOBODY if provider.simulated and not simulation.is_allowed() else provider


def in_use() -> dict[str, CheckProvider]:
    """Return the providers that answer some kind of check, by name."""
    return {provider.name: provider for provider in map(provider_of, CheckKind.values)}


def unusable_lists() -> str:
    """Return why nobody can be screened against our lists now, or "" also if nobody is to be."""
    return lists.unusable() if ListScreening.name in in_use() else ""


def missing_lists() -> list[str]:
    """Return what operators should know if no list was imported, and people are screened by ours.

    `lists.concerns` reports about lists that exist or are to be downloaded.
    """
    return [] if lists.lists_state() else list(filter(None, [unusable_lists()]))


def refuse_unknown() -> None:
    """Refuse to start with a kind or provider that does not exist."""
    for kind, name in settings.CHECK_PROVIDERS.items():
        if kind not in CheckKind.values or _named(name) is None:
            raise ImproperlyConfigured(
                f"CHECK_PROVIDERS says {kind}={name}. Kinds: {', '.join(CheckKind.values)}. "
                f"Providers: {', '.join([*PROVIDERS, *installed_classes.names(INSTALLED)])}."
            )


def _named(name: str) -> CheckProvider | None:
    """Return one of ours, or else the one that an installed package has under that name."""
    if name in PROVIDERS:
        return PROVIDERS[name]
    found: CheckProvider | None = installed_classes.made(INSTALLED, name, CheckProvider)
    return found
