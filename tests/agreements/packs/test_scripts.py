"""Agreements of businesses in their own script, and cancelling a pack that cannot be rendered."""

from functools import partial

import pytest

from agreements.casework import work_queue
from agreements.document_templates.template_library import TemplateVersions
from agreements.lifecycle import PackStatus
from agreements.packs import generating, pack_facts, pack_versions, packs
from console.accounts import access
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.audit import log as audit
from console.core import blobs, digests
from onboarding.checks import required_checks
from onboarding.intake import applications
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Submission
from onboarding.review import decisions
from onboarding.risk import assessments
from tests import factories
from tests.agreements.rendering.scripts import NAMES, UNSET

S = PackStatus


def facts(pack):
    return digests.parse(blobs.get(factories.fresh_pack(pack).revision.facts_sha256))


def legal_name(pack):
    return pack_facts.facts_of(pack, pack_versions.versions_of(pack))["business"]["legal_name"]


def stopped():
    """Return a pack whose answers were submitted before their letters were checked."""
    application = factories.an_application(ApplicationStatus.SUBMITTED)
    was = application.submission
    body = digests.parse(was.body.encode())
    body["answers"]["li_legal_name"] = UNSET
    canonical = digests.canonical(applications.SUBMISSION, body)
    application.submission = Submission.objects.create(
        application=application,
        number=was.number + 1,
        edition=was.edition,
        body=canonical.decode(),
        submission_sha256=digests.sha256_hex(canonical),
        restricted_list=was.restricted_list,
        declaration=was.declaration,
        submitted_by=was.submitted_by,
        submitted_at=was.submitted_at,
    )
    application.assessment = None
    application.save()
    sha256 = application.submission.submission_sha256
    audit.record("application.submitted", application, by=SYSTEM, sha256=sha256)
    assessments.make(application, by=SYSTEM)
    pack = packs.prepare(factories.cleared(factories.fresh(application)), by=SYSTEM)
    for _ in range(generating.GIVE_UP_AFTER):
        with pytest.raises(Exception, match="notdef"):
            generating.run(factories.fresh_pack(pack))
    return factories.fresh_pack(pack)


def answered_again(application):
    """Return the application, submitted and cleared again with a name in Latin letters."""
    application = factories.filled(factories.fresh(application), li_legal_name="Divehi Ltd")
    owner = factories.owner_of(application.business)
    return factories.cleared(applications.submit(application, declared=True, by=owner))


def test_a_latin_name_stands_with_the_native_one_where_it_can_be_set():
    both = factories.a_pack(
        S.GENERATING, li_legal_name="Nigat Ltd", li_native_name=NAMES["Ethiopic"]
    )
    one = factories.a_pack(S.GENERATING, li_legal_name="Divehi Ltd", li_native_name=UNSET)

    assert legal_name(both) == f"Nigat Ltd ({NAMES['Ethiopic']})"
    assert legal_name(one) == "Divehi Ltd"


@pytest.mark.parametrize(
    ("question", "name"), [("li_native_name", UNSET), ("li_trading_name", "Kiosk to Go")]
)
def test_other_names_are_screened_too(question, name):
    application = factories.an_application(ApplicationStatus.SUBMITTED, **{question: name})

    submission = application.submission
    assert submission is not None
    checks = required_checks.checks_for(submission, is_high=False)
    assert name in {one.inquiry.name for one in checks}


def test_a_pack_that_stopped_is_named_to_operators_with_its_cause():
    pack = stopped()

    (concern,) = work_queue.concerns()
    assert pack.number in concern
    assert "notdef" in concern


def test_a_pack_that_stopped_waits_for_compliance_too():
    pack = stopped()
    compliance, legal = (factories.one_of_staff(role) for role in (Role.COMPLIANCE, Role.LEGAL))

    assert pack in work_queue.waiting(compliance, partial(access.can, compliance))
    assert pack not in work_queue.waiting(legal, partial(access.can, legal))


def test_an_answer_that_stopped_it_is_changed_and_the_pack_goes_on():
    pack = stopped()
    reviewer = factories.one_of_staff(Role.COMPLIANCE)
    note = "Write the registered name in Latin letters."
    returned = decisions.return_for_changes(pack.application, note=note, by=reviewer)
    assert factories.fresh_pack(pack).status == S.STALE

    packs.prepare(answered_again(returned), by=SYSTEM)
    generating._revise(factories.fresh_pack(pack))

    pack = factories.fresh_pack(pack)
    assert (pack.status, pack.revision.number) == (S.GENERATING, 2)
    assert facts(pack)["business"]["legal_name"] == "Divehi Ltd"


@pytest.mark.parametrize(("anew", "version"), [(False, "1.0.0"), (True, "1.1.0")])
def test_an_operator_lets_it_go_on_as_it_was_begun_or_anew(anew, version):
    """A pack keeps its rules and templates unless someone decides otherwise."""
    factories.the_first_rules()
    pack = factories.a_pack(S.GENERATING, li_legal_name=NAMES["Han"])
    factories.published(TemplateVersions("ERC"), "1.1.0")
    generating._revise(pack)
    packs.move(factories.fresh_pack(pack), S.QUARANTINED, by=SYSTEM)

    operator = factories.one_of_staff(Role.OPERATOR)
    packs.retry(factories.fresh_pack(pack), reason="The typefaces came.", anew=anew, by=operator)

    generating._revise(factories.fresh_pack(pack))
    assert {
        one.version for one in packs.documents_of(factories.fresh_pack(pack)) if one.code == "ERC"
    } == {version}


def test_a_pack_that_stopped_before_its_next_revision_can_begin_anew_again():
    pack, operator = factories.a_pack(S.GENERATING), factories.one_of_staff(Role.OPERATOR)
    generating._revise(pack)
    for _ in range(2):
        packs.move(factories.fresh_pack(pack), S.QUARANTINED, by=SYSTEM)
        packs.retry(factories.fresh_pack(pack), reason="Mended.", anew=True, by=operator)

    begun = generating._revise(factories.fresh_pack(pack))
    assert begun.number == 2
