"""One person proposes a version and another puts it in use; each kind has its two roles."""

import pytest

from agreements.document_templates.selection import RULESETS
from agreements.document_templates.template_library import TemplateVersions, codes
from agreements.our_company.company_versions import COMPANY
from agreements.packs.commercial_terms import LAW_TABLES, PRICE_LISTS
from api.payments import corridors, digital_services, exchange_rates
from api.payments import financing as financing_offers
from api.payments import flights as flight_offers
from console.accounts import staff
from console.accounts.actors import SYSTEM
from console.accounts.roles import STAFF, Permission, Role, holders
from console.audit.models import Entry
from console.core.refusals import NotAllowed, WrongStatus
from console.events.models import Event
from console.publishing import publications, published_kinds
from console.publishing.files import forget
from console.publishing.models import Publication
from onboarding.questionnaire.loading import EDITIONS
from onboarding.reference.bands import BANDS, RATES
from onboarding.risk.model import MODELS
from tests import factories
from tests.publishing.changed import copied, write

COMPLIANCE = (Role.COMPLIANCE, Role.HEAD_OF_COMPLIANCE)
LEGAL = (Role.LEGAL, Role.HEAD_OF_LEGAL)
PRICES = (Role.COMMERCIAL, Role.HEAD_OF_LEGAL)
OFFERED = (
    exchange_rates.FILES, digital_services.FILES, flight_offers.FILES, financing_offers.FILES,
    corridors.FILES,
)  # fmt: skip
TEMPLATE = TemplateVersions("MSA")
WHO = [
    *((files, *COMPLIANCE) for files in (EDITIONS, MODELS, BANDS, RATES)),
    *((files, *LEGAL) for files in (RULESETS, LAW_TABLES, TEMPLATE, COMPANY)),
    *((files, *PRICES) for files in (PRICE_LISTS, *OFFERED)),
]
LATER = "2099-01"


def in_use(files):
    return Publication.objects.filter(kind=files.key).in_use().get()


def codes_of(publication):
    entries = Entry.objects.about(publication.public_id).order_by("pk")
    return list(entries.values_list("code", flat=True))


@pytest.mark.parametrize(
    ("files", "proposer", "publisher"), WHO, ids=lambda one: getattr(one, "key", one)
)
def test_a_kind_has_its_two_roles_and_no_other(files, proposer, publisher):
    kind = factories.kind_of(files)

    assert (holders(kind.propose), holders(kind.put_in_use)) == ([proposer], [publisher])


def test_no_other_role_proposes_withdraws_or_puts_in_use():
    row, kind = factories.proposed(EDITIONS, "2026-11"), factories.kind_of(EDITIONS)
    may = {role: factories.one_of_staff(role) for role in STAFF}

    for role in set(STAFF) - {Role.COMPLIANCE}:
        with pytest.raises(NotAllowed):
            publications.propose(kind, "2026-11", by=may[role])
        with pytest.raises(NotAllowed):
            publications.withdraw(row, by=may[role])
    for role in set(STAFF) - {Role.HEAD_OF_COMPLIANCE}:
        with pytest.raises(NotAllowed):
            publications.put_in_use(row, reason="Checked.", by=may[role])
    assert in_use(EDITIONS).version != "2026-11"


def test_what_ships_is_in_use_from_the_first_start_put_there_by_the_system():
    rows = list(Publication.objects.in_use().exclude(kind=COMPANY.key))
    ships = [kind for kind in published_kinds.every() if kind.ships]

    assert {row.kind for row in rows} == {kind.key for kind in ships}
    assert len(rows) == 9 + len(OFFERED) + len(codes())
    assert {(row.proposer, row.publisher) for row in rows} == {(SYSTEM, SYSTEM)}
    assert {row.kind: row.version for row in rows} == {
        kind.key: kind.files.versions()[-1] for kind in ships
    }


def test_the_first_start_is_written_down_and_a_second_one_changes_nothing(monkeypatch):
    assert publications.begin(by=SYSTEM) == []

    monkeypatch.setitem(
        published_kinds._kinds,
        "another",
        published_kinds.Kind(_Another(), Permission.OPERATE, Permission.OPERATE),
    )
    (row,) = publications.begin(by=SYSTEM)

    assert (row.kind, row.version) == ("another", EDITIONS.versions()[-1])
    assert codes_of(row) == ["publication.put_in_use"]
    assert publications.begin(by=SYSTEM) == []


class _Another:
    key, name = "another", "Another kind"
    versions, load = staticmethod(EDITIONS.versions), staticmethod(EDITIONS.load)


def test_a_version_comes_into_use_with_its_entries_and_its_event():
    row = factories.published(EDITIONS, "2026-11")

    assert in_use(EDITIONS) == row
    assert row.sha256 == EDITIONS.load("2026-11").sha256
    assert codes_of(row) == ["publication.proposed", "publication.put_in_use"]
    event = Event.objects.get(kind="publication.put_in_use", subject_id=row.public_id)
    assert event.payload["version"] == "2026-11"


def test_one_person_in_both_roles_is_refused():
    person = factories.one_of_staff(*COMPLIANCE)
    row = factories.proposed(EDITIONS, "2026-11", by=person)

    with pytest.raises(NotAllowed, match="somebody else must"):
        publications.put_in_use(row, reason="Checked.", by=person)
    assert in_use(EDITIONS).version != "2026-11"


def test_a_role_that_was_taken_meanwhile_does_not_count():
    row, head = (
        factories.proposed(EDITIONS, "2026-11"),
        factories.one_of_staff(Role.HEAD_OF_COMPLIANCE),
    )
    staff.take_role(head, Role.HEAD_OF_COMPLIANCE, by=SYSTEM)

    with pytest.raises(NotAllowed):
        publications.put_in_use(row, reason="Checked.", by=head)


def test_one_version_of_a_kind_is_proposed_at_a_time_and_can_be_withdrawn():
    first = factories.proposed(EDITIONS, "2026-11")
    other = factories.one_of_staff(Role.COMPLIANCE)

    with pytest.raises(publications.AlreadyProposed, match=str(first.proposed_by)):
        factories.proposed(EDITIONS, "2026-11", by=other)
    publications.withdraw(first, by=other)
    again = factories.proposed(EDITIONS, "2026-11", by=other)

    assert again.pk != first.pk
    assert codes_of(first) == ["publication.proposed", "publication.withdrawn"]
    with pytest.raises(WrongStatus, match="withdrawn"):
        publications.put_in_use(
            first, reason="Checked.", by=factories.one_of_staff(Role.HEAD_OF_COMPLIANCE)
        )


def test_what_is_in_use_is_neither_put_in_use_again_nor_withdrawn():
    row = factories.published(EDITIONS, "2026-11")

    with pytest.raises(publications.AlreadyInUse):
        factories.proposed(EDITIONS, "2026-11")
    with pytest.raises(WrongStatus, match=f"{row.put_in_use_by} has put"):
        publications.put_in_use(
            row, reason="Checked.", by=factories.one_of_staff(Role.HEAD_OF_COMPLIANCE)
        )
    with pytest.raises(WrongStatus, match="in use already"):
        publications.withdraw(row, by=factories.one_of_staff(Role.COMPLIANCE))
    assert codes_of(row) == ["publication.proposed", "publication.put_in_use"]


def test_a_file_that_is_faulty_or_missing_is_not_proposed(tmp_path, monkeypatch):
    prices = copied(PRICE_LISTS, tmp_path, monkeypatch)
    write(prices, LATER, like="2026-11", colour="red")

    with pytest.raises(publications.CannotPublish, match="colour is not known"):
        factories.proposed(prices, LATER)
    with pytest.raises(publications.CannotPublish, match="no version"):
        factories.proposed(prices, "2027-01")
    assert not Publication.objects.proposed().exists()


def test_a_file_that_was_changed_after_it_was_proposed_is_refused(tmp_path, monkeypatch):
    prices = copied(PRICE_LISTS, tmp_path, monkeypatch)
    write(prices, LATER, like="2026-11")
    row = factories.proposed(prices, LATER)
    write(prices, LATER, like="2026-11", invoice_days=1)
    forget()

    with pytest.raises(publications.CannotPublish, match="changed after it was proposed"):
        publications.put_in_use(
            row, reason="Checked.", by=factories.one_of_staff(Role.HEAD_OF_LEGAL)
        )


def test_an_older_version_replaces_a_newer_one_only_if_that_is_confirmed():
    row, head = (
        factories.proposed(TemplateVersions("ERC"), "1.0.0"),
        factories.one_of_staff(Role.HEAD_OF_LEGAL),
    )

    with pytest.raises(publications.OlderVersion, match=r"1\.0\.0 is older than 1\.1\.0"):
        publications.put_in_use(row, reason="Checked.", by=head)
    publications.put_in_use(row, reason="Checked.", older=True, by=head)

    newer = factories.proposed(TemplateVersions("ERC"), "1.1.0")
    assert publications.put_in_use(newer, reason="Checked.", by=head).version == "1.1.0"
