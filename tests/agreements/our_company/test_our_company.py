"""Our company's details in the contracts: entered by one person and published by another."""

import io
from collections.abc import Iterator

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from agreements.lifecycle import PackStatus
from agreements.models import CompanyDetails, Pack
from agreements.our_company import company_versions
from agreements.our_company.company_versions import COMPANY, MISSING
from agreements.packs import pack_facts, pack_versions, packs
from agreements.pki import certificates, seal_keys
from api.demo import company as example
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core import blobs, digests
from console.core.refusals import NotAllowed
from console.publishing import publications
from console.publishing.models import Publication
from tests import databases, factories

PAGE, FORM = reverse("agreements:our_company"), reverse("agreements:propose_company")
ENTERED = {
    "legal_name": "Meridian Rails Limited",
    "short_name": "Meridian Rails",
    "registration_number": "654321",
    "country": "IE",
    "address": "7 Custom House Quay\r\nDublin D01 XY00\r\n",
    "website": "meridian.test",
    "notices_email": "notices@meridian.test",
    "privacy_email": "privacy@meridian.test",
    "security_email": "security@meridian.test",
    "support_email": "support@meridian.test",
}


def client_of(*roles: Role) -> Client:
    return factories.signed_in(Client(), factories.one_of_staff(*roles))


def sent(client, **changes):
    return client.post(FORM, ENTERED | changes, follow=True)


def put_in_use(client):
    (row,) = Publication.objects.filter(kind=COMPANY.key).proposed()
    return client.post(reverse("publishing:put_in_use", args=[row.public_id]), follow=True)


def supplier(pack):
    return pack_facts.facts_of(pack, pack_versions.versions_of(pack))["supplier"]


@pytest.fixture
def no_company(transactional_db: None) -> Iterator[None]:
    """An installation without our details."""
    tables = {
        "agreements_companydetails": "TRUE",
        "publishing_publication": f"kind = '{COMPANY.key}'",
    }
    rows = {}
    with databases.as_owner() as owner:
        databases.go_past_triggers(owner)
        for table, ours in tables.items():
            rows[table] = owner.execute(f"DELETE FROM {table} WHERE {ours} RETURNING *").fetchall()
    yield
    with databases.as_owner() as owner:
        databases.go_past_triggers(owner)
        for table, ours in tables.items():
            owner.execute(f"DELETE FROM {table} WHERE {ours}")
            for row in rows[table]:
                places = ", ".join(["%s"] * len(row))
                owner.execute(f"INSERT INTO {table} VALUES ({places})", row)


def test_two_people_put_our_details_in_use_and_new_packs_state_them():
    before = factories.a_pack(PackStatus.IN_REVIEW)
    legal, head = client_of(Role.LEGAL), client_of(Role.HEAD_OF_LEGAL)

    assert "until someone else puts it in use" in sent(legal).text
    assert supplier(before)["legal_name"] != ENTERED["legal_name"]
    page = head.get(PAGE).text
    assert all(said in page for said in ("Meridian Rails Limited", "Dublin D01 XY00", "Ireland"))
    assert "Our company 2" in put_in_use(head).text

    stated = supplier(factories.a_pack(PackStatus.GENERATING))
    assert stated["legal_name"] == "Meridian Rails Limited"
    assert stated["address"] == ["7 Custom House Quay", "Dublin D01 XY00", "Ireland"]
    kept = digests.parse(blobs.get(before.revision.facts_sha256))["supplier"]
    assert kept["legal_name"] == "Access Console Payments Limited"
    row = Publication.objects.filter(kind=COMPANY.key).in_use().get()
    codes = Entry.objects.about(row.public_id).order_by("pk").values_list("code", flat=True)
    assert list(codes) == ["publication.proposed", "publication.put_in_use"]


def test_the_form_begins_with_nothing_of_an_example():
    assert "Access Console Payments" not in client_of(Role.LEGAL).get(FORM).text


def test_nobody_puts_in_use_what_they_proposed():
    both = client_of(Role.LEGAL, Role.HEAD_OF_LEGAL)
    sent(both)

    assert "somebody else must" in put_in_use(both).text
    assert company_versions.current().version == "1"


def test_who_may_not_propose_sees_the_details_and_no_form():
    for role in [Role.COMPLIANCE, Role.OPERATOR, Role.HEAD_OF_LEGAL]:
        client = client_of(role)

        assert FORM not in client.get(PAGE).text
        assert sent(client).status_code == 403
        assert CompanyDetails.objects.count() == 1
        facts, person = company_versions.supplier(), factories.one_of_staff(role)
        with pytest.raises(NotAllowed):
            company_versions.propose(facts, by=person)


def test_what_documents_cannot_state_is_told_beside_the_field():
    for field, typed, says in [
        ("legal_name", "", "Enter legal name"),
        ("legal_name", "ދިވެހި", "Our documents cannot show"),
        ("country", "XX", "Select a valid choice"),
        ("registration_number", "ABC", "A CRO number looks like this: 123456."),
        ("notices_email", "notices", "Enter a full e-mail address"),
        ("address", "1\n2\n3\n4\n5\n6\n7", "Use 6 lines or fewer"),
    ]:
        assert says in sent(client_of(Role.LEGAL), **{field: typed}).text
        assert CompanyDetails.objects.count() == 1


def test_the_same_details_are_the_same_version():
    legal, head = client_of(Role.LEGAL), client_of(Role.HEAD_OF_LEGAL)
    sent(legal)
    put_in_use(head)

    assert "Meridian Rails Limited" in legal.get(FORM).text
    assert "is in use already" in sent(legal).text
    assert CompanyDetails.objects.count() == 2


def test_without_details_a_cleared_application_waits_and_then_goes_on(
    no_company, settings, tmp_path
):
    settings.PKI_DIR = tmp_path / "pki"
    said = io.StringIO()
    call_command("publish", "begin")
    call_command("setup_seal", stdout=said)
    assert MISSING in said.getvalue()
    application = factories.an_application("submitted")
    pack = packs.prepare(factories.cleared(application), by=SYSTEM)
    factories.settle()

    pack = factories.fresh_pack(pack)
    assert (pack.status, pack.failures) == (PackStatus.GENERATING, 0)
    case = reverse("agreements:case", args=[application.public_id])
    assert MISSING in client_of(Role.LEGAL).get(case, {"show": "pack"}).text
    assert f"{MISSING} Until then" in client_of(Role.OPERATOR).get(reverse("governance:work")).text

    sent(client_of(Role.LEGAL))
    factories.settle()
    call_command("publish", "begin")  # a restart decides nothing
    assert factories.fresh_pack(pack).status == PackStatus.GENERATING
    put_in_use(client_of(Role.HEAD_OF_LEGAL))
    with factories.few_documents():
        factories.settle()

    pack = factories.fresh_pack(pack)
    assert pack.status == PackStatus.IN_REVIEW
    facts = digests.parse(blobs.get(pack.revision.facts_sha256))
    assert facts["supplier"]["legal_name"] == "Meridian Rails Limited"
    assert certificates.organisation(seal_keys.seal().certificate) == "Meridian Rails Limited"
    assert Pack.objects.count() == 1
    assert MISSING not in client_of(Role.OPERATOR).get(reverse("governance:work")).text


def refused():
    said = run_checks(include_deployment_checks=True, databases=["default"])
    return [one.id for one in said if one.id in ("console.E012", "console.I012")]


def test_the_deploy_check_refuses_an_example():
    assert refused() == ["console.E012"]

    sent(client_of(Role.LEGAL))
    put_in_use(client_of(Role.HEAD_OF_LEGAL))
    assert refused() == []


def test_the_deploy_check_only_tells_where_nothing_is_in_use(no_company):
    assert refused() == ["console.I012"]


def test_the_demo_world_puts_an_example_in_use_by_two_people(no_company):
    legal, head = (factories.one_of_staff(role) for role in (Role.LEGAL, Role.HEAD_OF_LEGAL))
    for _ in range(2):  # running it again is harmless
        example.put_in_use(proposer=legal, publisher=head)

    row = Publication.objects.get(kind=COMPANY.key)
    assert (row.proposed_by, row.put_in_use_by) == (legal, head)
    assert "made-up demo" in client_of(Role.AUDITOR).get(PAGE).text
    assert refused() == ["console.E012"]


def test_a_proposal_that_somebody_made_meanwhile_is_named():
    proposer = factories.one_of_staff(Role.LEGAL)
    facts = company_versions.supplier()
    company_versions.propose({**facts, "short_name": "Us"}, by=proposer)

    assert f"{proposer} has proposed Our company 2" in sent(client_of(Role.LEGAL)).text
    with pytest.raises(publications.AlreadyProposed):
        company_versions.propose({**facts, "short_name": "We"}, by=proposer)
