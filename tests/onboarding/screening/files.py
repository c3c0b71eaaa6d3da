"""Files of sanctions lists as their publishers write them, with people who do not exist."""

import gzip
from collections.abc import Sequence
from pathlib import Path

REAL = Path(__file__).resolve().parents[2] / "data" / "lists"
UN_ENTRY = """
<INDIVIDUAL><DATAID>{uid}</DATAID><FIRST_NAME>{name}</FIRST_NAME><SECOND_NAME>Listed</SECOND_NAME>
<UN_LIST_TYPE>TEST</UN_LIST_TYPE>{more}</INDIVIDUAL>
"""
UN = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<CONSOLIDATED_LIST dateGenerated="{date}T00:00:09.554Z"><INDIVIDUALS>{entries}</INDIVIDUALS>
<ENTITIES></ENTITIES></CONSOLIDATED_LIST>
"""


def un(names: Sequence[str], *, date: str = "2026-11-01", more: str = "") -> str:
    """Return a UN list with these first names. The number of an entry is made of its name."""
    entries = (UN_ENTRY.format(uid=f"u-{name}", name=name, more=more) for name in names)
    return UN.format(date=date, entries="".join(entries))


def many(count: int) -> list[str]:
    return [f"Gorvan{number}" for number in range(count)]


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def ofac(folder: Path, sdn: str, alt: str = "", add: str = "") -> Path:
    """Write OFAC's three files, and return the first."""
    for name, text in (("sdn", sdn), ("alt", alt), ("add", add)):
        (folder / f"{name}.csv").write_bytes(text.encode("latin-1") + b"\x1a\r\n")
    return folder / "sdn.csv"


def zipped(path: Path, text: str) -> Path:
    path.write_bytes(gzip.compress(text.encode()))
    return path


EU = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="2026-11-03T15:51:25.849+02:00">
  <sanctionEntity euReferenceNumber="EU.1.1" logicalId="1">
    <remark>Invented for a test.</remark>
    <regulation programme="TST" numberTitle="2026/1" logicalId="2">
      <publicationUrl>https://law.example/2026/1</publicationUrl>
    </regulation>
    <subjectType code="person" classificationCode="P"/>
    <nameAlias wholeName="Gor Vanlist" strong="false"/>
    <nameAlias firstName="Gorvan" lastName="Listed" wholeName="" strong="true" function="Captain"/>
    <nameAlias wholeName="Горван Листед" strong="true"/>
    <citizenship countryIso2Code="KP" countryDescription="NORTH KOREA"/>
    <birthdate birthdate="1961-04-12" year="1961"/>
    <birthdate year="1963" monthOfYear="5" dayOfMonth=""/>
    <address street="1 Main Street" city="Minsk" countryIso2Code="BY" countryDescription="BELARUS"/>
    <identification number="P123" identificationTypeDescription="National passport"
      countryIso2Code="00"/>
  </sanctionEntity>
  <sanctionEntity logicalId="7">
    <subjectType code="enterprise" classificationCode="E"/>
    <nameAlias wholeName="Vorkesh Trading" strong="true"/>
  </sanctionEntity>
</export>
"""

UK_XML = """<?xml version="1.0" encoding="utf-8"?>
<Designations><DateGenerated>04/11/2026</DateGenerated>
  <Designation><UniqueID>TST0001</UniqueID>
    <Names>
      <Name><Name6>Gor Van</Name6><NameType>ALias</NameType>
        <AliasStrength>Low quality a.k.a</AliasStrength></Name>
      <Name><Name1>Gorvan</Name1><Name6>LISTED</Name6><NameType>Primary name</NameType></Name>
    </Names>
    <NonLatinNames><NonLatinName><NameNonLatinScript>Горван</NameNonLatinScript></NonLatinName>
    </NonLatinNames>
    <RegimeName>The Test Regulations 2026</RegimeName>
    <IndividualEntityShip>Individual</IndividualEntityShip>
    <SanctionsImposed>Asset freeze</SanctionsImposed>
    <IndividualDetails><Individual>
      <DOBs><DOB>dd/mm/1961</DOB><DOB>12/04/1962</DOB></DOBs>
      <PassportDetails><Passport><PassportNumber>P123</PassportNumber></Passport></PassportDetails>
      <Nationalities><Nationality>North Korea</Nationality></Nationalities>
    </Individual></IndividualDetails>
  </Designation>
  <Designation><UniqueID>TST0002</UniqueID>
    <Names><Name><Name6>Vorkesh 8</Name6><NameType>Primary Name</NameType></Name></Names>
    <RegimeName>The Test Regulations 2026</RegimeName>
    <IndividualEntityShip>Ship</IndividualEntityShip>
    <ShipDetails><Ship><IMONumbers><IMONumber>IMO1234567</IMONumber></IMONumbers></Ship></ShipDetails>
  </Designation>
</Designations>
"""

UK_CSV = "\r\n".join(
    [
        "Report Date: 04-Nov-2026",
        "Last Updated,Unique ID,Name 6,Name 1,Name 2,Name 3,Name 4,Name 5,Name type,Alias strength,"
        "Name non-latin script,Regime Name,Designation Type,Sanctions Imposed,Other Information,"
        "Address Country,D.O.B,Nationality(/ies),Passport number,IMO number",
        "04/11/2026,TST0001,Gor Van,,,,,,Alias,Low quality a.k.a,,The Test Regulations 2026,"
        "Individual,Asset freeze,,,,North Korea,,",
        "04/11/2026,TST0001,LISTED,Gorvan,,,,,Primary Name,,Горван,The Test Regulations 2026,"
        "Individual,Asset freeze,,,12/04/1962,North Korea,P123,",
        "04/11/2026,TST0001,LISTED,Gorvan,,,,,Primary Name,,,The Test Regulations 2026,"
        "Individual,Asset freeze,,,dd/mm/1961,North Korea,P123,",
        "04/11/2026,TST0002,Vorkesh 8,,,,,,Primary Name,,,The Test Regulations 2026,"
        "Ship,,,,,,,IMO1234567",
        "",
    ]
)

OPENSANCTIONS = (
    "id,schema,name,aliases,birth_date,countries,addresses,identifiers,sanctions,phones,emails,"
    "dataset,first_seen,last_seen,last_change\n"
    'NK-1,Person,Gorvan Listed,"Горван;""Gor; Van""",1961-04-12;1962,kp;by,,P123,'
    "Asset freeze,,,Test list,2026-01-01T00:00:00,{seen},2026-01-01T00:00:00\n"
    "NK-2,Company,Vorkesh Trading,,,,,,,,,Test list,2026-01-01T00:00:00,{seen},\n"
    "NK-3,CryptoWallet,1BoatX,,,,,,,,,Test list,2026-01-01T00:00:00,{seen},\n"
)
