"""A signatory with a written authority: uploaded, decided on by legal, and in the signature."""

from typing import Any

import pytest
from django.urls import reverse

from agreements.lifecycle import PackStatus
from agreements.packs import authority as pack_authority
from agreements.packs import packs
from agreements.signing import signature
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.core import digests
from console.core.refusals import NotAllowed, NotReady, ReasonMissing, WrongStatus
from onboarding.evidence import authority
from onboarding.evidence.models import EvidenceFile
from onboarding.intake import applications
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application
from onboarding.review import authority_decisions, case_turns, clearing, decisions
from tests import factories
from tests.agreements.pages.addresses import words

WRITTEN: dict[str, Any] = {"ow_signatory_basis": "authority_document"}
pytestmark = pytest.mark.django_db


def uploaded(application: Application) -> EvidenceFile:
    return factories.an_evidence_file(application, kind="authority", name="resolution.pdf")


def submitted(**changes: str) -> tuple[Application, EvidenceFile]:
    """Return a submitted application whose checks have run, and the file of the authority."""
    signatory = factories.a_person("Mara Ellwood", email="mara@kettle.example")
    business = factories.a_business("Kettle & Kiosk", owner=signatory)
    wanted = WRITTEN | {"ow_signatory_email": signatory.email} | changes
    application = factories.an_application("answered", business=business, **wanted)
    file = uploaded(application)
    application = applications.submit(application, declared=True, by=signatory)
    factories.settle_reviews()
    return factories.fresh(application), file


def decided(application: Application, **said: Any) -> Application:
    lawyer = factories.one_of_staff(Role.LEGAL)
    return authority_decisions.decide(application, by=lawyer, **said)


def test_it_is_not_submitted_without_its_document():
    application = factories.an_application("answered", **WRITTEN)
    owner = factories.owner_of(application.business)
    with pytest.raises(applications.CannotSubmit) as refused:
        applications.submit(application, declared=True, by=owner)
    assert "Upload it on the page Documents" in refused.value.blockers[0].message


def test_it_is_cleared_once_legal_accepts_and_its_hash_is_in_the_pack_and_the_act():
    application, file = submitted()
    assert application.status == ApplicationStatus.SUBMITTED
    assert [one.code for one in clearing.blockers(application, by=SYSTEM)] == ["authority"]
    lawyer = factories.one_of_staff(Role.LEGAL)
    turn = case_turns.to_accept_authority(application.public_id, lawyer, lambda _one: True)
    assert turn is not None

    decided(application, accepted=True, file=file)
    assert case_turns.to_accept_authority(application.public_id, lawyer, lambda _one: True) is None
    factories.settle_reviews()

    application = factories.fresh(application)
    assert application.status == ApplicationStatus.CLEARED
    with factories.few_documents():
        pack = factories.walked(packs.prepare(application, by=SYSTEM), PackStatus.READY_TO_SIGN)
    assert pack.revision is not None
    assert pack.revision.signatory["authority_sha256"] == file.sha256
    assert pack_authority.blockers(pack) == []
    signatory, offer = factories.owner_of(pack.business), pack.revision.offer_sha256
    act = signature.sign(pack, offer_sha256=offer, proof=factories.BY_CODE, by=signatory)
    assert digests.parse(act.body.encode())["authority_sha256"] == file.sha256
    assert factories.fresh_pack(pack).status == PackStatus.IN_APPROVAL


def test_a_refusal_returns_the_application_and_the_next_submission_is_asked_again():
    application, file = submitted()
    with pytest.raises(ReasonMissing):
        decided(application, accepted=False)

    application = decided(application, accepted=False, note="It names another company.")

    assert application.status == ApplicationStatus.RETURNED
    assert application.message == "It names another company."
    owner = factories.owner_of(application.business)
    application = applications.submit(application, declared=True, by=owner)
    assert authority.awaits_decision(application)
    decided(application, accepted=True, file=file)
    assert authority.accepted_sha256(application) == file.sha256


def test_only_legal_decides_on_a_file_of_this_kind_while_it_is_in_review():
    application, file = submitted()
    other = factories.an_evidence_file(application, kind="other", name="other.pdf")
    with pytest.raises(decisions.EvidenceMissing):
        decided(application, accepted=True, file=other)
    with pytest.raises(decisions.EvidenceMissing):
        decided(application, accepted=True)
    officer = factories.one_of_staff(Role.COMPLIANCE)
    with pytest.raises(NotAllowed):
        authority_decisions.decide(application, accepted=True, file=file, by=officer)
    boss = factories.one_of_staff(Role.HEAD_OF_COMPLIANCE)
    held = decisions.hold(application, note="Wait.", by=boss)
    with pytest.raises(WrongStatus):
        decided(held, accepted=True, file=file)
    plain = factories.an_application(ApplicationStatus.SUBMITTED)
    with pytest.raises(NotReady):
        decided(plain, accepted=True, file=file)


def test_the_page_shows_the_file_and_saves_the_decision(client):
    application, file = submitted()
    lawyer = factories.one_of_staff(Role.LEGAL)
    page = factories.signed_in(client, lawyer)
    case = reverse("agreements:case", args=[application.public_id])
    assert "Decide on the authority" in words(page.get(case))
    address = reverse("onboarding:decide_authority", args=[application.public_id])
    shown = page.get(address)
    assert "resolution.pdf" in words(shown)
    assert page.post(address, {"accepted": "no", "note": ""}).status_code == 422
    said = {"accepted": "yes", "file": file.public_id}
    assert page.post(address, said).status_code == 302
    assert authority.accepted_sha256(factories.fresh(application)) == file.sha256
    assert "Decide on the authority" not in words(page.get(case))
