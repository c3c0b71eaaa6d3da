"""Each publisher's file becomes the same entries, whatever its format."""

from datetime import date

import pytest

from onboarding.screening.models import ListedType, ListEntry, ListKind, ListVersion, NameKind
from tests.onboarding.screening import files
from tests.onboarding.screening.commands import screening


def entry(uid: str) -> ListEntry:
    return ListEntry.objects.current().get(uid=uid)


def names_of(one: ListEntry) -> dict[str, str]:
    return dict(one.names.values_list("name", "kind"))


def test_ofac(tmp_path):
    main = files.ofac(
        tmp_path,
        '36,"LISTED, Gorvan Ivan",individual,"TEST] [SDT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,'
        '"DOB 12 Apr 1961; alt. DOB May 1963; alt. DOB circa 1958 to 1960; nationality Korea,'
        " North; Passport P123 (Cuba) expires 01 Jan 2030; a.k.a. 'THE SHIP'; Linked To: X.\"\r\n"
        '40,"VORKESH TRADING, LTD.",-0- ,"TEST",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n'
        '41,"VORKESH 8",vessel,"TEST",-0- ,"ABC",Tanker,-0- ,-0- ,Panama,-0- ,"Vessel'
        ' Registration Identification IMO 1234567; Café."\r\n',
        '36,12,"aka","LYSTED, Gorvan",-0- \r\n',
        '40,25,-0- ,"Minsk","Belarus",-0- \r\n',
    )
    screening("import", "ofac", main)

    person, company, ship = entry("36"), entry("40"), entry("41")
    assert person.name == "Gorvan Ivan LISTED"
    assert names_of(person) == {
        "Gorvan Ivan LISTED": NameKind.PRIMARY,
        "Gorvan LYSTED": NameKind.ALIAS,
        "THE SHIP": NameKind.WEAK,
    }
    assert person.birth_dates == ["1958", "1959", "1960", "1961-04-12", "1963-05"]
    assert (person.type, person.countries) == (ListedType.PERSON, ["KP"])
    assert person.programme == "TEST, SDT"
    assert person.identifiers == [{"kind": "Passport", "value": "P123", "country": "CU"}]
    assert person.url.endswith("id=36")
    assert (company.type, company.name) == (ListedType.ORGANISATION, "VORKESH TRADING, LTD.")
    assert (company.countries, company.details["addresses"]) == (["BY"], ["Minsk, Belarus"])
    assert (ship.type, ship.countries) == (ListedType.VESSEL, ["PA"])
    assert ship.identifiers[0]["value"] == "1234567"
    assert ship.details["remarks"].endswith("Café.")


def test_un(tmp_path):
    more = (
        "<NAME_ORIGINAL_SCRIPT>Горван</NAME_ORIGINAL_SCRIPT><REFERENCE_NUMBER>T.1</REFERENCE_NUMBER>"
        "<INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>Gor</ALIAS_NAME></INDIVIDUAL_ALIAS>"
        "<INDIVIDUAL_ALIAS><QUALITY/><ALIAS_NAME/></INDIVIDUAL_ALIAS>"
        "<NATIONALITY><VALUE>Democratic People's Republic of Korea</VALUE></NATIONALITY>"
        "<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1961</FROM_YEAR>"
        "<TO_YEAR>1962</TO_YEAR></INDIVIDUAL_DATE_OF_BIRTH>"
        "<INDIVIDUAL_DATE_OF_BIRTH><DATE>1963-04-12</DATE></INDIVIDUAL_DATE_OF_BIRTH>"
        "<INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>Passport</TYPE_OF_DOCUMENT><NUMBER>P1</NUMBER>"
        "<ISSUING_COUNTRY>Cuba</ISSUING_COUNTRY></INDIVIDUAL_DOCUMENT><INDIVIDUAL_DOCUMENT/>"
    )
    screening("import", "un", files.zipped(tmp_path / "un.xml.gz", files.un(["Gorvan"], more=more)))

    person = entry("u-Gorvan")
    assert names_of(person) == {
        "Gorvan Listed": NameKind.PRIMARY, "Горван": NameKind.ALIAS, "Gor": NameKind.WEAK,
    }  # fmt: skip
    assert person.birth_dates == ["1961", "1962", "1963-04-12"]
    assert person.countries == ["KP"]
    assert person.identifiers == [{"kind": "Passport", "value": "P1", "country": "CU"}]
    assert ListVersion.objects.get().published_at.date() == date(2026, 11, 1)


def test_eu(tmp_path):
    screening("import", "eu", files.written(tmp_path / "eu.xml", files.EU))

    person, company = entry("EU.1.1"), entry("7")
    assert names_of(person) == {
        "Gorvan Listed": NameKind.PRIMARY,
        "Горван Листед": NameKind.ALIAS,
        "Gor Vanlist": NameKind.WEAK,
    }
    assert person.birth_dates == ["1961-04-12", "1963-05"]
    assert person.countries == ["BY", "KP"]
    assert person.identifiers == [{"kind": "National passport", "value": "P123"}]
    assert (person.programme, person.url) == ("TST", "https://law.example/2026/1")
    assert company.type == ListedType.ORGANISATION
    assert ListVersion.objects.get().published_at.date() == date(2026, 11, 3)


@pytest.mark.parametrize("text", [files.UK_XML, files.UK_CSV], ids=["xml", "csv"])
def test_uk(tmp_path, text):
    screening("import", "uk", files.written(tmp_path / "uk", text))

    person, ship = entry("TST0001"), entry("TST0002")
    assert names_of(person) == {
        "Gorvan LISTED": NameKind.PRIMARY, "Горван": NameKind.ALIAS, "Gor Van": NameKind.WEAK,
    }  # fmt: skip
    assert person.birth_dates == ["1961", "1962-04-12"]
    assert (person.countries, person.programme) == (["KP"], "The Test Regulations 2026")
    assert person.identifiers == [{"kind": "Passport", "value": "P123"}]
    assert (ship.type, ship.identifiers[0]["value"]) == (ListedType.VESSEL, "IMO1234567")
    assert ListVersion.objects.get().published_at.date() == date(2026, 11, 4)


def test_opensanctions(tmp_path):
    path = tmp_path / "targets.simple.csv"
    screening("import", "opensanctions", files.written(path, files.OPENSANCTIONS.format(seen="1")))

    person = entry("NK-1")
    assert set(names_of(person)) == {"Gorvan Listed", "Горван", "Gor; Van"}
    assert (person.birth_dates, person.countries) == (["1961-04-12", "1962"], ["BY", "KP"])
    assert person.identifiers == [{"kind": "", "value": "P123"}]
    assert entry("NK-2").type == ListedType.ORGANISATION
    assert entry("NK-3").type == ListedType.OTHER

    # When a target was last seen changes with each file, and is not a change of the target.
    screening("import", "opensanctions", files.written(path, files.OPENSANCTIONS.format(seen="2")))
    assert ListVersion.objects.count() == 2
    assert ListEntry.objects.count() == 3


def test_every_kind_has_a_reader():
    from onboarding.screening.imports import READERS

    assert set(READERS) == set(ListKind)
