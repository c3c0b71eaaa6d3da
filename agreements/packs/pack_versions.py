"""Versions of rules, law, prices and templates that a pack uses: those in use when it began."""

from collections.abc import Sequence
from dataclasses import dataclass

from agreements.document_templates.selection import RULESETS, Ruleset, SelectionRule
from agreements.document_templates.template_library import Template, TemplateVersions, codes
from agreements.models import Pack
from agreements.packs.commercial_terms import LAW_TABLES, PRICE_LISTS, LawTable, PriceList
from console.publishing import in_use


@dataclass(frozen=True)
class PackVersions:
    """The rules, law and prices that the documents of a pack are made from."""

    ruleset: Ruleset
    laws: LawTable
    prices: PriceList


def in_use_now() -> dict[str, str]:
    """Return the versions in use now, in the form of `Pack.versions`."""
    return in_use.versions(RULESETS, LAW_TABLES, PRICE_LISTS, *map(TemplateVersions, codes()))


def versions_of(pack: Pack) -> PackVersions:
    """Return the versions that a pack was opened with."""
    return PackVersions(
        in_use.load(RULESETS, pack.versions[RULESETS.key]),
        in_use.load(LAW_TABLES, pack.versions[LAW_TABLES.key]),
        in_use.load(PRICE_LISTS, pack.versions[PRICE_LISTS.key]),
    )


def templates_of(pack: Pack, documents: Sequence[SelectionRule]) -> list[Template]:
    """Return the templates of the chosen documents that the pack was opened with, in one query.

    Packs of releases that noted no templates have those that their rules name.
    """
    kinds = [(TemplateVersions(one.code), one) for one in documents]
    return in_use.load_all(
        [(kind, pack.versions.get(kind.key, one.template_version)) for kind, one in kinds]
    )
