"""Versions of rules, law, prices and templates that a pack uses."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from agreements.document_templates.selection import RULESETS, Ruleset, SelectionRule
from agreements.document_templates.template_library import Template, TemplateVersions
from agreements.models import Pack
from agreements.packs.commercial_terms import LAW_TABLES, PRICE_LISTS, LawTable, PriceList
from console.core.refusals import Blocker
from console.publishing import in_use


@dataclass(frozen=True)
class PackVersions:
    """The rules, law and prices that the documents of a pack are made from."""

    ruleset: Ruleset
    laws: LawTable
    prices: PriceList


def in_use_now() -> dict[str, str]:
    """Return the versions in use now, in the form of `Pack.versions`."""
    return in_use.versions(RULESETS, LAW_TABLES, PRICE_LISTS)


def versions_of(pack: Pack) -> PackVersions:
    """Return the versions that a pack was opened with."""
    return PackVersions(
        in_use.load(RULESETS, pack.versions[RULESETS.key]),
        in_use.load(LAW_TABLES, pack.versions[LAW_TABLES.key]),
        in_use.load(PRICE_LISTS, pack.versions[PRICE_LISTS.key]),
    )


def templates_of(documents: Sequence[SelectionRule]) -> list[Template]:
    """Return the published templates of the chosen documents, in one query."""
    wanted = [(TemplateVersions(one.code), one.template_version) for one in documents]
    return in_use.load_all(wanted)


def templates_missing(ruleset: Ruleset) -> list[Blocker]:
    """Return the templates that the rules name but that were never put in use."""
    named = {(f"template:{rule.code}", rule.template_version) for rule in ruleset.rules}
    return [
        Blocker(
            "template_not_in_use",
            _("Put the template %(code)s %(version)s in use first.")
            % {"code": kind.partition(":")[2], "version": version},
        )
        for kind, version in sorted(named - in_use.ever(kind for kind, _ in named))
    ]
