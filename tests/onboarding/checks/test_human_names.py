"""An organisation that is named as a human is a finding for a reviewer."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from console.accounts.roles import Role
from onboarding.lifecycle import ApplicationStatus, CheckStatus
from onboarding.matches.models import PossibleMatch
from onboarding.models import Application, Check
from onboarding.screening.models import ListedType
from onboarding.screening.organisation_names import organisation_word
from tests import factories
from tests.onboarding import answered
from tests.onboarding.screening import listed


@pytest.mark.parametrize(
    "name",
    [
        *("Ashford Family Trust", "The Whitaker Settlement", "Vogel Stiftung", "Fondation Lumière"),
        *("Fundación Luz", "Stichting Waddenzee", "Waqf al-Nur", "Treuhand Meier", "وقف النور"),
        *("Fideicomiso Sol", "Vakfı Efes", "مؤسسة النور", "Фонд Мир", "株式会社ミヤビ"),
        *("Ashford Ltd", "Ashford L.L.C.", "KETTLE LIMITED", "Vogel GmbH", "vogel ag", "Vogel AG"),
        *("Lumière S.A.", "Lumière SA", "Lumière S.à r.l.", "Nordsee A/S", "Wawel Sp. z o.o."),
        *("ООО Заря", "Anadolu A.Ş.", "Padma Sdn Bhd", "Indus (Pvt) Ltd", "Vltava s.r.o."),
        *("Ashford & Co", "T r u s t Ashford", "AshfordTrust", "Ashford ᴛʀᴜꜱᴛ", "Ashford ＬＴＤ"),
        *("Ashford Family-Trust", "Trust/Ashford", "Ashfordtrust", "Vogelstiftung", "Ashford Corp"),
        *("Estate of John Ashford", "Luz S.L.", "Luz SL", "Luce SpA", "Vogel GbR", "Sava d.o.o."),
        *("Заря ТОО", "Ίδρυμα Αθηνά", "Αθηνά ΑΕ", "أوقاف النور", "الوقف النور", 'כהן בע"מ'),
        *("הקדש כהן", "合同会社ミヤビ", "一般社団法人ミヤビ", "사단법인 빛", "มูลนิธิสยาม"),
        *("भारत ट्रस्ट", "PT Garuda", "SIA Rīga"),
        *("SCI Lumière", "Sci Lumiere", "Quỹ Ánh Sáng", "भारत न्यास", "Keren Or", "קרן אור"),
        *("ПП Зоря", "ФОП Зоря", "ИП Заря", "ПрАТ Зоря", "Vogel eG", "Vogel e.V.", "Ashford Co."),
        *("Ashford Pension Scheme", "Church of Lyme", "Ashford Bank", "Ashford Group"),
        *("Republic of Norland", "Ashford & Sons", "Gebrüder Vogel", "Groupe Lumière"),
        *("Банк Заря", "Τράπεζα Αθηνά", "بنك النور", "المجموعة النور", "بانک نور", "ট্রাস্ট আলো"),
        *("みやび銀行", "은행 빛", "กองทุนสยาม", "Ngân hàng Hoa Sen", "Efes Derneği"),
        *("Spółdzielnia Wawel", "Družstvo Vltava", "VšĮ Vilnius", "ფონდი მზე"),
        *("Schneider Vermögensverwaltung", "Meier Vermoegensverwaltung", "Müller Beteiligungs"),
        *("Erbengemeinschaft Huber", "Nachlass Huber", "Huber Immobilien", "Vogel Grundbesitz"),
        *("Kabushiki Kaisha Mori", "Godo Kaisha Mori", "OÜ Tallinn", "AB Volvo", "Oy Nokia"),
        *("Smith L P", "Smith L.P.", "SOPARFI Lux", "Jones 1987 Discretionary", "Tru st Smith"),
        *("Bait al-Mal", "Bayt ul Maal", "Jansen Beheer", "Indivision Martin", "Eredi Rossi"),
        *("Succession Dupont", "Herencia García", "Dödsbo Svensson", "Kuolinpesä Virtanen"),
        *("Spadkobiercy Kowalski", "Nemovitosti Novák", "Vagyonkezelő Kovács", "Vastgoed Jansen"),
        # Also names of humans, whom a reviewer recognises
        *("Trust Moyo", "Charlotte Church", "Keren Cohen"),
    ],
)
def test_a_word_of_an_organisation_is_found(name):
    assert organisation_word(name)


@pytest.mark.parametrize(
    "name",
    [
        *("Nguyen Van Sa", "NGUYEN VAN SA", "Sa Nguyen", "João de Sá", "Luis DE SA", "Mehmet As"),
        *(
            "Karel Erben",
            "Wala Kaisha",
            "Ana Co",
            "Li Se",
            "Ab Rahman",
            "Siti binti Ab Rashid",
            "Pt Singh",
            "Iyad Ag Ghaly",
        ),
        *("Nguyen Cao Ky", "Charity Moyo", "Asa Miller", "Sia Kamara", "Ayşe İnç", "J. R. R. Lee"),
        *("Jan van den Berg", "Peter Fonda", "Kim Un", "Ola Aas", "Ngozi Okonkwo"),
        *(
            "Kim Doo Hyun",
            "Doo-Hwan Chun",
            "Zao Wou-Ki",
            "Waqif Khan",
            "Anne-Marie Co",
            "P. T. Usha",
            *("Nguyễn Quý", "Earl Jones", "P. P. Singh", "П. П. Иванов", "Maria Iglesias", "Bo Eg"),
            *("विन्यास शर्मा", "Temple Grandin", "Thế Anh Nguyễn", "Nicolae Fondane"),
        ),
    ],
)
def test_an_ordinary_name_stops_nothing(name):
    assert not organisation_word(name)


def reviewed(owner: str, **answers: Any) -> Application:
    # Confirmed at entry to be a person's name.
    owners = answered.owned_by((owner, "100"), born="1983-05-02", human="yes")
    return factories.a_reviewed_application(**answers | owners)


@pytest.mark.parametrize(
    ("owner", "signatory", "subject"),
    [
        ("Ashford Family Trust", "", "owner.0"),
        ("Ngozi Okonkwo", "Vogel Treuhand GmbH", "signatory"),
    ],
)
def test_a_trust_that_is_named_as_a_human_is_not_cleared(owner, signatory, subject):
    application = reviewed(owner, **({"ow_signatory_name": signatory} if signatory else {}))
    assert application.status == ApplicationStatus.SUBMITTED
    (check,) = Check.objects.filter(application=application, status=CheckStatus.NEEDS_REVIEW)
    assert check.subject == subject
    client = factories.signed_in(Client(), factories.one_of_staff(Role.COMPLIANCE))
    page = client.get(reverse("onboarding:decide_check", args=[check.public_id])).text
    assert "this may be an organisation" in page


@pytest.mark.parametrize(
    ("owner", "asked", "kind", "subject"),
    [
        ("Ostromir Vorkesh Foundation", {}, ListedType.ORGANISATION, "owner.0"),
        ("Delvane Marosh", {}, ListedType.VESSEL, "owner.0"),
        (
            "Ngozi Okonkwo", {"li_legal_name": "Gorvan Petrescu Trading Ltd"}, ListedType.PERSON,
            "company",
        ),
    ],
)  # fmt: skip
def test_entries_of_every_kind_are_found(settings, owner, asked, kind, subject):
    settings.CHECK_PROVIDERS = {"screening": "lists"}
    version = listed.a_version()
    for name in ("Ostromir Vorkesh Foundation", "Marosh Delvane", "Gorvan Petrescu"):
        listed.an_entry(version, name, kind=kind)

    application = reviewed(owner, **asked)

    (match,) = PossibleMatch.objects.all()
    check = Check.objects.get(application=application, status=CheckStatus.NEEDS_REVIEW)
    assert (check.subject, check.evidence["matches"]) == (subject, match.public_id)


def test_a_finding_is_shown_beside_the_possible_matches(settings):
    settings.CHECK_PROVIDERS = {"screening": "lists"}
    listed.an_entry(listed.a_version(), "Ostromir Vorkesh Trust", kind=ListedType.ORGANISATION)
    check = Check.objects.get(
        application=reviewed("Ostromir Vorkesh Trust"), status=CheckStatus.NEEDS_REVIEW
    )
    client = factories.signed_in(Client(), factories.one_of_staff(Role.COMPLIANCE))
    page = client.get(reverse("onboarding:possible_matches", args=[check.public_id])).text
    assert "this may be an organisation" in page
