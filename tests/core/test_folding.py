"""Names are compared in one way, by search in the database and everywhere else."""

import pytest
from django.db import connection

from console.core.folding import Likeness, fold, likeness
from onboarding.registers.name_agreement import agrees

SPELLINGS = [
    "Søren O’Brien-Großmann", "Łukasz Żółć", "MÜLLER", "Mueller", "D'Angelo", "Siobhán O’Dowd",
    "Æthelred Þórsson", "İnci Işık", "Jean–Luc Picard", "José María de la Cruz", "J. R. Smith",
    "Анна Иванова", "משה כהן", "محمد علي", "山田 太郎", "Nguyễn Thị Minh Khai", "Œuvre", "Đặng",
]  # fmt: skip


@pytest.mark.django_db
def test_the_database_folds_names_in_the_same_way():
    with connection.cursor() as cursor:
        cursor.execute("SELECT n, public.accounts_folded(n) FROM unnest(%s::text[]) n", [SPELLINGS])
        for name, folded in cursor.fetchall():
            assert fold(name) == folded, name


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
    [
        ("Foo UAB", "UAB „Foo“"), ("OVHH SAS", "SAS OVHH"), ("ООО «Ромашка»", "Ромашка ООО"),
        ("Søndergaard ApS", "SONDERGAARD APS"), ("Größe Handel GmbH", "GROESSE HANDEL GMBH"),
        ("L’Oréal S.A.", "L'OREAL SA"), ("PT Maju Jaya", "Maju Jaya, PT"),
    ],
)  # fmt: skip
def test_a_legal_form_stands_at_either_end(stated, found):
    assert agrees(stated, found)
