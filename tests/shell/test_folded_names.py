"""A business is found however its name is spelt, on every page that searches by name."""

import pytest
from django.urls import reverse

from console.accounts.models import Business
from console.accounts.roles import Role
from tests import factories

NAMES = {
    "O’Brien & Söhne": ["o'brien", "OBRIEN", "o`brien", "sohne", "soehne", "söhne", "sohne"],
    "São João Câmbio": ["sao joao", "SÃO", "joão cambio", "cambio"],
    "Größe-Handel Straßenbau GmbH": ["groesse", "grosse handel", "strasse", "STRASSEN", "größe"],
    "Łódź Œuvre Ægir": ["lodz", "oeuvre", "aegir", "œuvre"],
    "Đà Nẵng J.P. Trading": ["da nang", "jp trading", "j.p. trading"],
    "Ελληνική Ναυτιλία": ["ελληνικη", "ναυτιλια"],
    "İstanbul Işık": ["istanbul", "isik", "ışık"],
    "Ｆｕｌｌ Wide": ["full wide"],
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_found_however_it_is_spelt(name):
    factories.a_business("Another One Ltd")
    business = factories.a_business(name)
    for words in NAMES[name]:
        assert list(Business.objects.filter(name__folded__contains=words)) == [business], words


@pytest.mark.parametrize("words", ["100%", "a_b", "\\", "'", "%"])
def test_signs_of_patterns_are_only_letters(words):
    factories.a_business("Another One Ltd")
    found = Business.objects.filter(name__folded__contains=f"zz{words}")
    assert not found.exists()


def test_the_queue_and_the_search_find_it(client):
    staff = factories.signed_in(client, factories.one_of_staff(Role.COMPLIANCE))
    application = factories.a_reviewed_application()
    business = Business.objects.filter(pk=application.business.pk)
    factories.change(business, name="São João Câmbio Ltda")
    for page in (f"{reverse('onboarding:review_queue')}?stage=all&q=sao+joao",
                 f"{reverse('shell:search')}?q=joao+cambio"):  # fmt: skip
        assert "São João Câmbio" in staff.get(page).text
