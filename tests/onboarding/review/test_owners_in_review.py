"""Applications of the edition that asks for the structure of owners, in review."""

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from api.demo.businesses import owner
from console.accounts.roles import Role
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Check
from onboarding.review import clearing
from tests import factories
from tests.onboarding import answered

MARA = owner("Mara Ellwood", "97", director="yes")
PLC = owner("Kettle Group", "3", kind="listed", market="XLON")


def reviewed(*parties: dict[str, str]):
    return factories.a_reviewed_application(**{answered.OWNERS: list(parties)})


def test_a_listed_company_needs_no_reviewer_and_is_screened_as_an_organisation():
    application = reviewed(MARA, PLC)

    assert application.status == ApplicationStatus.CLEARED
    check = Check.objects.get(application=application, subject="owner.1")
    assert (check.subject_name, check.evidence.get("word")) == ("Kettle Group", None)


def test_a_company_with_unknown_owners_is_not_cleared_without_a_reviewer():
    firm = owner("Northgate Holdings", "3", kind="entity", end="widely_held")
    application = reviewed(MARA, firm)

    assert application.status == ApplicationStatus.SUBMITTED
    says = "3 % of the business is not traced: Northgate Holdings has many owners."
    assert clearing.untraced(application) == [says]
    compliance = factories.one_of_staff(Role.COMPLIANCE)
    assert "ownership" not in [one.code for one in clearing.blockers(application, by=compliance)]
    case = factories.signed_in(Client(), compliance).get(f"{application.case_url}?show=score")
    assert says in case.text


def test_a_hundred_owners_take_as_many_queries_as_two():
    counts = []
    for number in (2, 100):
        share = str(100 // number)
        people = [(f"Person {chr(65 + n // 26)}{chr(97 + n % 26)}", share) for n in range(number)]
        owners = answered.owned_by(*people, human="yes")
        application = factories.a_reviewed_application(**owners)
        client = factories.signed_in(Client(), factories.one_of_staff(Role.COMPLIANCE))
        client.get(f"{application.case_url}?show=score")
        with CaptureQueriesContext(connection) as found:
            assert client.get(f"{application.case_url}?show=score").status_code == 200
        counts.append(len(found))

    assert counts[0] == counts[1]
