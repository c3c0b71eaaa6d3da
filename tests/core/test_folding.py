"""Names are compared in one way, by search in the database and everywhere else."""

import re
import unicodedata

import pytest
from django.db import connection

from console.accounts.models import Business
from console.accounts.models.folded import NameOrder
from console.core.folding import Likeness, fold, likeness
from onboarding.registers.name_agreement import agrees
from tests import factories

SPELLINGS = [
    "Søren O’Brien-Großmann", "Łukasz Żółć", "MÜLLER", "Mueller", "D'Angelo", "Siobhán O’Dowd",
    "Æthelred Þórsson", "İnci Işık", "Jean–Luc Picard", "José María de la Cruz", "J. R. Smith",
    "Анна Иванова", "משה כהן", "محمد علي", "山田 太郎", "Nguyễn Thị Minh Khai", "Œuvre", "Đặng",
]  # fmt: skip
# Letters, marks, digits, punctuation, signs, blanks and joiners of all scripts.
_SEEN = "LMNPSZ"
EVERY_SIGN = [
    f"x{chr(code)}x"
    for code in (*range(0x20, 0x1FC00), 0x200C, 0x200D)
    if unicodedata.category(chr(code))[0] in _SEEN or code in (0x200C, 0x200D)
]
# Not written in names today: the iota below a Greek vowel, and letters of Old Slavonic manuscripts.
_OF_MANUSCRIPTS = re.compile(".*GREEK .*(YPO|PROS)?GEGRAMMENI|CYRILLIC SMALL LETTER .*")


def folded_by_the_database(names):
    with connection.cursor() as cursor:
        cursor.execute("SELECT n, public.accounts_folded(n) FROM unnest(%s::text[]) n", [names])
        return dict(cursor.fetchall())


def test_the_database_folds_names_in_the_same_way():
    for name, folded in folded_by_the_database(SPELLINGS + EVERY_SIGN).items():
        assert fold(name) == folded, (name, hex(ord(name[1])))


def test_case_makes_no_difference_in_any_script():
    for sign in EVERY_SIGN:
        if len({fold(sign), fold(sign.upper()), fold(sign.lower())}) > 1:
            assert _OF_MANUSCRIPTS.fullmatch(unicodedata.name(sign[1])), sign


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ναύτης Α.Ε.", "ΝΑΥΤΗΣ ΑΕ"),  # the last letter of a Greek word
        ("Γιώργος", "γιωργοσ"),
        ("İstanbul Işık", "ISTANBUL isik"),
        ("STRAẞE", "strasse"),
        ("Åbenrå", "Aabenraa"),
        ("Bjørn Ødegård", "Bjoern Oedegaard"),
        ("Əliyev", "Eliyev"),
        ("Ŋwe Ɓala", "Nwe Bala"),
        ("Col·legi", "collegi"),
        ("\u0623\u062d\u0645\u062f", "\u0627\u062d\u0645\u062f"),  # Arabic, hamza left out
        ("\u0645\u062d\u0645\u0651\u062f", "\u0645\u062d\u0645\u062f"),  # Arabic, with vowel signs
        ("\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\u0639\u0644\u064a\u0631\u0636\u0627"),
        (
            "\u0641\u0627\u0637\u0645\u0629",
            "\u0641\u0627\u0637\u0645\u0647",
        ),  # Arabic, the last letter
        ("\u05d1\u05e2\u05f4\u05de", '\u05d1\u05e2"\u05de'),  # Hebrew, the sign of a short form
        ("\u05e9\u05b8\u05dc\u05d5\u05b9\u05dd", "\u05e9\u05dc\u05d5\u05dd"),
        ("ज़ैदी", "जैदी"),
        ("ﾄﾖﾀ", "トヨタ"),
        ("Ｔｏｙｏｔａ", "toyota"),
        ("شركة ٣٦٠", "شركة 360"),
    ],
)
def test_one_name_in_the_letters_of_its_script(one, other):
    assert fold(one) == fold(other)


def test_lists_are_ordered_as_people_read_them():
    ordered = [
        "Ägir", "Agis", "Əliyev", "Émile", "Östlund", "Zebra", "zoo", "Ναύτης", "Яблоко",
        "ขนม", "เขา", "จันทร์", "丁", "山田",
    ]  # fmt: skip
    for name in reversed(ordered):
        factories.a_business(name)
    rows = Business.objects.order_by(NameOrder("name")).values_list("name", flat=True)
    assert list(rows) == ordered


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann Lee", "LEE, Ann"),
        ("Dr. Ann Lee", "Ann Lee, PhD"),
        ("Siobhán O’Dowd", "siobhan o'dowd"),
        ("Siobhan O`Dowd", "Siobhan Oʼ Dowd"),
        ("Anne-Marie Duval", "Anne‑Marie Duval"),
        ("Annemarie Duval", "Anne Marie Duval"),
        ("Jürgen Groß", "JUERGEN GROSS"),
        ("J.R. Smith", "J R Smith"),
        ("Mag. Eva Huber", "Huber Eva"),
        ("山田 太郎", "山田太郎"),
        ("Sir", "sir"),
    ],
)
def test_spelling_titles_and_order_make_no_difference(one, other):
    assert likeness(one, other) is likeness(other, one) is Likeness.SAME


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann Lee", "Ann M. Lee"),
        ("Ann Lee", "Ann Margaret Lee"),
        ("A. Lee", "Ann Lee"),
        ("Ann M. Lee", "LEE Ann Margaret"),
        ("María García", "María García López"),
        ("John Lee", "John Lee Jr."),
        ("Mohammed Al-Rashid", "Mohammed bin Ahmed Al Rashid"),
    ],
)
def test_middle_names_and_initials_are_a_small_difference(one, other):
    assert likeness(one, other) is likeness(other, one) is Likeness.CLOSE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann Lee", "Ben Lee"), ("Ann B. Lee", "Ann M. Lee"), ("Lee", "Ann Lee"),
        ("A. L.", "Ann Lee"), ("Ann Lee", ""), ("A B", "Ann Bell"), ("Ann Lee Park", "Ann Kim"),
    ],
)  # fmt: skip
def test_other_names_are_other_people(one, other):
    assert likeness(one, other) is likeness(other, one) is Likeness.OTHER


@pytest.mark.parametrize(
    ("stated", "found"),
    [("Foo AG", "Foo GmbH"), ("トヨタ株式会社", "トヨタ有限会社"), ("ООО Ромашка", "ЗАО Ромашка")],
)
def test_another_legal_form_is_another_company(stated, found):
    assert not agrees(stated, found)


@pytest.mark.parametrize(
    ("stated", "found"),
    [
        ("Foo UAB", "UAB „Foo“"), ("OVHH SAS", "SAS OVHH"), ("ООО «Ромашка»", "Ромашка ООО"),
        ("Søndergaard ApS", "SONDERGAARD APS"), ("Größe Handel GmbH", "GROESSE HANDEL GMBH"),
        ("L’Oréal S.A.", "L'OREAL SA"), ("PT Maju Jaya", "Maju Jaya, PT"),
        ("Kaas Naamloze Vennootschap", "KAAS N.V."),
        ("Foo OÜ", "OÜ Foo"), ("Foo s.r.o.", "FOO, s. r. o."), ("AKTIEBOLAGET FOO", "Foo AB"),
        ("Foo Kft.", "FOO Korlátolt Felelősségű Társaság"), ("Foo Ltda.", "FOO LIMITADA"),
        ("ТОО «Ромашка»", "Ромашка ТОО"), ("Foo A.Ş.", "FOO ANONİM ŞİRKETİ"),
        ("ООО Ромашка", "Общество с ограниченной ответственностью «Ромашка»"),
        ("Φου Ανώνυμη Εταιρεία", "ΦΟΥ Α.Ε."), ("SE Foo", "Foo SE"),
        ("トヨタ自動車株式会社", "株式会社トヨタ自動車"), ("㈱トヨタ", "トヨタ（株）"),
        ("삼성전자 주식회사", "(주)삼성전자"), ("Foo 有限公司", "有限公司 Foo"),
    ],
)  # fmt: skip
def test_a_legal_form_stands_at_either_end(stated, found):
    assert agrees(stated, found)
