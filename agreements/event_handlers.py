"""Event handlers and hooks that react to changes in agreements and onboarding."""

from contextlib import suppress

from django.db import transaction
from django.db.models import Q

from agreements import lookup
from agreements.approvals import approvals
from agreements.lifecycle import OUTDATED, WITH_A_WORKER, PackStatus
from agreements.models import Pack
from agreements.our_company.company_versions import COMPANY
from agreements.packs import generating, packs
from console.accounts.actors import SYSTEM
from console.accounts.business_access import AccessStopped
from console.accounts.models import Business
from console.catalogue import products
from console.events import outbox as events
from console.events.models import Event
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application


def application_cleared(event: Event) -> None:
    """Open a pack, or start its next revision."""
    _prepare(Application.objects.get(public_id=event.subject_id))


def access_restored(event: Event) -> None:
    """Continue the packs of a business that waited for its access."""
    business = Business.objects.get(public_id=event.subject_id)
    with transaction.atomic():
        for pack in Pack.objects.of(business).filter(status__in=WITH_A_WORKER):
            events.publish(f"pack.{pack.status}", pack)
    cleared = Application.objects.of(business).filter(status=ApplicationStatus.CLEARED)
    for application in cleared.filter(Q(pack=None) | Q(pack__status__in=OUTDATED)):
        _prepare(application)


def pack_generating(event: Event) -> None:
    """Render the documents."""
    generating.run(lookup.pack_of_event(event))


def pack_countersigning(event: Event) -> None:
    """Seal the countersigned pack."""
    from agreements.sealing import execution  # pyHanko takes a second to import

    execution.seal(lookup.pack_of_event(event))


def publication_put_in_use(event: Event) -> None:
    """Resume packs that waited for our company details, and make a seal in the company's name."""
    from agreements.sealing import seals, self_check

    if event.payload["file"] != COMPANY.key:
        return
    with transaction.atomic():
        for pack in Pack.objects.filter(status=PackStatus.GENERATING).order_by("pk"):
            events.publish("pack.generating", pack)
    seals.set_up(because="Our company details were put in use.", by=SYSTEM)
    self_check.refresh()


def pack_executed(event: Event) -> None:
    """Apply commercial's product approvals and refusals, in the same transaction.

    This must run only once: a second run would approve products again that were withdrawn since.
    """
    pack = lookup.pack_of_event(event)
    assert pack.revision is not None
    decided = approvals.of_commercial(pack)
    approved = [key for key in pack.revision.products if key not in decided.refused_products]
    products.approve(pack.business, approved, refusals=decided.refused_products, by=decided.person)


def _prepare(application: Application) -> None:
    with suppress(AccessStopped):  # `access_restored` prepares it then
        packs.prepare(application, by=SYSTEM)


def application_returned(event: Event) -> None:
    """Mark the pack outdated in the same transaction. Raises TooLate if it is countersigned."""
    packs.outdate(Application.objects.get(public_id=event.subject_id), by=SYSTEM)


def application_closed(event: Event) -> None:
    """Withdraw the pack in the same transaction. Raises TooLate if it is countersigned."""
    packs.withdraw(Application.objects.get(public_id=event.subject_id), by=SYSTEM)


def application_held(event: Event) -> None:
    """Refuse, in the same transaction, to hold an application whose pack is countersigned."""
    pack = packs.live_of(Application.objects.get(public_id=event.subject_id))
    if pack is not None:
        packs.require_recallable(pack)
