"""Versions of our company details: propose new ones, and read those in use.

Each operator has its own details, so they are stored in the database instead of a package file.
They are still a kind of `console.publishing`, and a second person puts them in use.
"""

from typing import cast

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from agreements.document_templates import facts_check
from agreements.document_templates.facts_schema import Supplier
from agreements.lifecycle import PackStatus
from agreements.models import CompanyDetails, Pack
from console.accounts import access
from console.accounts.models import User
from console.accounts.roles import Permission
from console.core import clock, digests
from console.core.refusals import NotReady, Refused
from console.publishing import in_use, publications
from console.publishing.files import FileFault
from console.publishing.models import Publication
from console.publishing.published_kinds import Kind

DOMAIN = "agr.our-company.v1"
MISSING = (
    "Our company details are not in use yet. Legal must enter them on “Our company”, "
    "and the head of legal must put them in use. This then continues automatically."
)


class NoCompany(NotReady):
    """Raised while no company details are in use."""

    code = "no_company"


class CompanyVersions:
    """The entered versions, as a kind of publication."""

    key, name = "our_company", gettext_noop("Our company")

    def versions(self) -> list[str]:
        """Return all versions, oldest first."""
        return list(CompanyDetails.objects.order_by("pk").values_list("version", flat=True))

    def load(self, version: str) -> CompanyDetails:
        """Return one version, or raise FileFault."""
        found = CompanyDetails.objects.filter(version=version).first()
        if found is None:
            raise FileFault(f"There is no version {version} of “{self.name}”.")
        return found


COMPANY = CompanyVersions()
KIND = Kind(
    COMPANY,
    Permission.TEMPLATE_PROPOSE,
    Permission.TEMPLATE_PUBLISH,
    page="agreements:our_company",
    ships=False,
)


@transaction.atomic
def propose(facts: Supplier, *, is_example: bool = False, by: User) -> Publication:
    """Save and propose company details; identical details are the same version."""
    access.require(by, KIND.propose)
    faults = list(facts_check.problems(facts, Supplier, "company"))
    if faults:
        raise Refused(
            _("You cannot use these details: %(faults)s.") % {"faults": "; ".join(faults)}
        )
    publications.lock(KIND)
    body = canonical(facts, is_example=is_example)
    details = CompanyDetails.objects.filter(body=body).first() or CompanyDetails.objects.create(
        version=str(CompanyDetails.objects.count() + 1),
        body=body,
        entered_by=by,
        entered_at=clock.now(),
    )
    return publications.propose(KIND, details.version, by=by)


def canonical(facts: Supplier, *, is_example: bool) -> str:
    """Return the canonical text that is stored and hashed."""
    return digests.canonical(DOMAIN, {"facts": facts, "is_example": is_example}).decode()


def is_in_use() -> bool:
    """Tell whether any details are in use. Once true, this stays true."""
    return bool(in_use.ever([COMPANY.key]))


def current() -> CompanyDetails:
    """Return the details in use, or raise an error."""
    if not is_in_use():
        raise NoCompany(MISSING)
    return in_use.current(COMPANY)


def supplier() -> Supplier:
    """Return our company as new documents state it."""
    return cast(Supplier, current().facts)


def concerns() -> list[str]:
    """Tell operators if the details are missing, and how many packs are waiting for them."""
    if is_in_use():
        return []
    waiting = Pack.objects.filter(status=PackStatus.GENERATING).count()
    return [
        f"{MISSING} Until then, we prepare no packs and make no seals. Packs waiting: {waiting}."
    ]
