"""The details of our company: propose other ones, and read those that are in use.

They are no file of the package, for every operator has their own; two people put them in use all
the same, as a kind of `console.publishing`.
"""

from typing import cast

from django.db import transaction
from django.utils.translation import gettext as _

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
    "Our company details are not in use yet. Legal must enter them under “Versions "
    "in use”, and the head of legal must put them in use. This then continues "
    "automatically."
)


class NoCompany(NotReady):
    """Nobody has put our company's details in use yet."""

    code = "no_company"


class CompanyVersions:
    """Every version that was entered, as versions that are put in use."""

    key, name = "our_company", "Our company"

    def versions(self) -> list[str]:
        """Return every version there is, oldest first."""
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
)


@transaction.atomic
def propose(facts: Supplier, *, is_example: bool = False, by: User) -> Publication:
    """Enter our company's details, and propose them; the same details are the same version."""
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
    """Return the text that is kept and hashed."""
    return digests.canonical(DOMAIN, {"facts": facts, "is_example": is_example}).decode()


def is_in_use() -> bool:
    """Say whether any details are in use. Once they are, some always will be."""
    return bool(in_use.ever([COMPANY.key]))


def current() -> CompanyDetails:
    """Return the details in use, or refuse."""
    if not is_in_use():
        raise NoCompany(MISSING)
    return in_use.current(COMPANY)


def supplier() -> Supplier:
    """Return us, as documents that are made now state it."""
    return cast(Supplier, current().facts)


def obstacle(pack: Pack) -> str:
    """Say why a pack cannot be prepared, where our details are the reason; otherwise empty."""
    waits = pack.status == PackStatus.GENERATING and not is_in_use()
    return MISSING if waits else ""


def concerns() -> list[str]:
    """Tell operators that the details are missing, and how many packs wait for them."""
    if is_in_use():
        return []
    waiting = Pack.objects.filter(status=PackStatus.GENERATING).count()
    return [
        f"{MISSING} Until then, we prepare no packs and make no seals. Packs waiting: {waiting}."
    ]
