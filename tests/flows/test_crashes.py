"""The walk survives killed workers, a lost broker and concurrent requests."""

from functools import partial
from typing import Any

import pytest

from agreements.approvals import approvals, countersigning
from agreements.lifecycle import DecisionRole, DocumentStatus, PackStatus
from agreements.models import Decision, Document, Pack, SignatureAct
from agreements.packs import packs
from agreements.signing import signature
from apikeys.models import Grant
from console.accounts.roles import Role
from console.celery import app
from console.core.refusals import Refused
from console.events.models import Event, EventDelivery
from onboarding.intake import applications
from tests import factories
from tests.proofs import Proven, proof
from tests.server.writers import Writers, waiting
from tests.services import Services
from tests.waiting import at_once, eventually

COMMITS = pytest.mark.django_db(transaction=True)


def status_of(pack: Pack) -> str:
    return Pack.objects.values_list("status", flat=True).get(pk=pack.pk)


def all_done() -> bool:
    return not EventDelivery.objects.waiting().exists()


@pytest.mark.services
def test_a_worker_killed_while_rendering_and_while_sealing_leaves_one_executed_pack(
    services: Services,
):
    pack = factories.a_pack(at=PackStatus.GENERATING)
    services.start("broker", "worker", "beat")
    rendered = Document.objects.filter(revision__pack=pack, status=DocumentStatus.RENDERED)
    eventually(lambda: rendered.count() >= 2)
    services.kill("worker")
    assert status_of(pack) == PackStatus.GENERATING
    services.start("worker")
    eventually(lambda: status_of(pack) == PackStatus.IN_REVIEW)

    eventually(all_done)
    pack = factories.walked(factories.fresh_pack(pack), PackStatus.COUNTERSIGNING)
    eventually(lambda: Pack.objects.filter(pk=pack.pk, fence__gte=1).exists())
    services.kill("worker")
    assert status_of(pack) == PackStatus.COUNTERSIGNING
    services.start("worker")
    eventually(lambda: status_of(pack) == PackStatus.EXECUTED, within=40)  # no lease to wait for
    eventually(all_done)

    assert Pack.objects.executed().count() == 1
    assert Pack.objects.get(pk=pack.pk).fence >= 2
    assert Event.objects.filter(kind="pack.executed").count() == 1
    opened = Grant.objects.filter(business=pack.business).exclude(opened_at=None)
    assert opened.count() == 1
    documents = packs.documents_of(factories.fresh_pack(pack))
    assert {one.status for one in documents} == {DocumentStatus.IN_FORCE}


@pytest.mark.services
@proof("R20", "the broker is away", small=1, full=4)
def test_with_the_broker_gone_work_waits_and_is_done_once_it_is_back(
    proven: Proven, services: Services
):
    services.start("broker", "worker", "beat", "web")
    writers = Writers(services.port)
    for _ in range(proven.size):
        services.kill("broker")
        writers.send()
        services.start("broker")
        eventually(all_done)
    services.kill("broker")
    application = factories.an_application("answered")
    applications.submit(application, declared=True, by=factories.owner_of(application.business))
    assert EventDelivery.objects.waiting().exists()

    services.start("broker")
    eventually(lambda: Pack.objects.filter(status=PackStatus.IN_REVIEW).exists(), within=180)
    eventually(all_done)
    assert Pack.objects.count() == 1
    writers.report(proven, stuck=waiting())


@pytest.mark.services
def test_a_broker_that_lost_its_memory_loses_nothing(services: Services):
    """The broker loses its messages, but the rows in the database remain."""
    services.start("broker")
    application = factories.an_application("answered")
    applications.submit(application, declared=True, by=factories.owner_of(application.business))
    services.kill("broker")
    services.start("broker", "worker", "beat")
    eventually(Pack.objects.exists)  # created after the checks and the decision


@pytest.mark.services
def test_acknowledging_after_the_connection_is_gone_is_a_connection_error(services: Services):
    """Celery reconnects on a connection error; every other error ends the worker."""
    services.start("broker")
    line = app.connection_for_read()
    channel: Any = line.default_channel
    line.close()

    with pytest.raises(line.connection_errors):
        channel.basic_ack("a delivery tag")


def together(*works):
    """Call them all at once in threads; return each result, sorted: "done" or the refusal code."""

    def run(number):
        try:
            works[number]()
        except Refused as refused:
            return refused.code
        else:
            return "done"

    return sorted(at_once(len(works), run))


@COMMITS
def test_two_approvers_of_one_role_at_once_approve_once():
    pack = factories.a_pack(at=PackStatus.IN_APPROVAL)
    people = [factories.one_of_staff(Role.LEGAL) for _ in range(6)]
    signed = factories.signed_set(pack)

    said = together(
        *(
            partial(
                approvals.approve,
                pack,
                DecisionRole.LEGAL,
                signed_set_sha256=signed,
                proof=factories.BY_CODE,
                by=by,
            )
            for by in people
        )
    )

    assert said == ["already_decided"] * 5 + ["done"]
    assert Decision.objects.filter(revision__pack=pack).count() == 1


@COMMITS
def test_three_approvers_of_three_roles_at_once_approve_the_pack_once():
    pack = factories.a_pack(at=PackStatus.IN_APPROVAL)
    signed = factories.signed_set(pack)
    people = {
        DecisionRole.COMPLIANCE: factories.one_of_staff(Role.COMPLIANCE),
        DecisionRole.COMMERCIAL: factories.one_of_staff(Role.COMMERCIAL),
        DecisionRole.LEGAL: factories.one_of_staff(Role.LEGAL),
    }
    works = [
        partial(
            approvals.approve, pack, role, signed_set_sha256=signed, proof=factories.BY_CODE, by=by
        )
        for role, by in people.items()
    ]

    assert together(*works) == ["done"] * 3
    assert status_of(pack) == PackStatus.APPROVED
    assert Event.objects.filter(kind="pack.approved").count() == 1


@COMMITS
def test_one_signatory_in_eight_tabs_signs_once():
    pack = factories.a_pack(at=PackStatus.READY_TO_SIGN)
    owner = factories.owner_of(pack.business)
    offer = pack.revision.offer_sha256

    said = together(
        *([lambda: signature.sign(pack, offer_sha256=offer, proof=factories.BY_CODE, by=owner)] * 8)
    )

    assert said == ["done"] * 8
    assert SignatureAct.objects.count() == 1
    assert Event.objects.filter(kind="pack.signed").count() == 1


@COMMITS
def test_withdrawing_and_countersigning_at_once_ends_one_way():
    pack = factories.a_pack(at=PackStatus.APPROVED)
    by, owner = factories.one_of_staff(Role.COUNTERSIGNATORY), factories.owner_of(pack.business)
    signed = factories.signed_set(pack)

    said = together(
        lambda: countersigning.countersign(
            pack, signed_set_sha256=signed, proof=factories.BY_CODE, by=by
        ),
        lambda: applications.withdraw(pack.application, by=owner),
    )

    assert "done" in said
    assert len(set(said)) == 2
    assert status_of(pack) in (PackStatus.COUNTERSIGNING, PackStatus.WITHDRAWN)
