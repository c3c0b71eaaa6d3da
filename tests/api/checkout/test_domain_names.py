"""Which domains a business can add, and what reaches the header."""

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from api.checkout import domain_names, domains
from api.checkout.models import CheckoutDomain
from console.accounts.actors import SYSTEM
from console.core import clock

ACCEPTED = {
    "shop.example.com": "shop.example.com",
    " Shop.EXAMPLE.com ": "shop.example.com",
    "shop.example.com.": "shop.example.com",
    "example.co.uk": "example.co.uk",
    "bücher.example.com": "xn--bcher-kva.example.com",
    "xn--bcher-kva.example.com": "xn--bcher-kva.example.com",
    "1.example.com": "1.example.com",
    "a-b.example.com": "a-b.example.com",
    "shop.example.com.evil.com": "shop.example.com.evil.com",
    "github.io": "github.io",
    "me.github.io": "me.github.io",
}
REFUSED = (
    # More than a host
    "https://shop.example.com", "http://shop.example.com", "//shop.example.com",
    "shop.example.com/", "shop.example.com/path", "shop.example.com:443", "shop.example.com:8443",
    "shop.example.com:*", "user@shop.example.com", "shop.example.com?a", "shop.example.com#a",
    ".shop.example.com", "shop..example.com", "javascript:alert(1)", "data:,",
    "about:srcdoc", "null", "",
    # What would change the header
    "*", "*.example.com", "shop.*.com", "'self'", "'unsafe-inline'", "'none'", "https:",
    "example.com; script-src *", "example.com;", "example.com,evil.com", "example.com evil.com",
    "example.com\nX-Header: 1", "example.com\r\nx", "example.com\tx", "example.com\x00",
    "example.com%0a", "example\u3002com;x", "example.com\\evil.com",
    # Not a name of the DNS
    "-a.example.com", "a-.example.com", "a_b.example.com", "a" * 64 + ".example.com",
    "a." * 94 + "example.com", "\u00df.example.com",
    # Addresses
    "127.0.0.1", "8.8.8.8", "[::1]", "::1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1",
    "0x7f.1", "\uff11\uff12\uff17.0.0.1", "1.2.3.4.5",
    # Names under which anyone registers, or that do not exist on the internet
    "com", "co.uk", "uk", "xn--p1ai", "localhost", "shop.localhost", "shop.local", "shop.internal",
    "shop.onion", "home.arpa", "router.home.arpa", "shop.test.invalid",
)  # fmt: skip


def test_a_domain_is_stored_as_a_labels_in_lower_case():
    assert {given: domain_names.read(given) for given in ACCEPTED} == ACCEPTED


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("größe-handel.example", "“ß”"),
        ("οδος.example", "“ς”"),
        ("-a.example.com", "does not exist"),
        ("https://größe-handel.example", "a domain alone"),
        ("shop.example.com:8443", "a port"),
    ],
)
def test_the_reason_is_the_real_one(given, said):
    with pytest.raises(domain_names.DomainRefused, match=said):
        domain_names.read(given)


def test_anything_else_is_refused_with_words_on_the_page(developer, business):
    add = reverse("api:add_domain", args=[business.public_id])
    accepted = []
    for given in REFUSED:
        page = developer.post(add, {"domain": given})
        if page.status_code != 200 or 'id="id_domain_error"' not in page.content.decode():
            accepted.append(given)
    assert accepted == []
    assert not CheckoutDomain.objects.exists()


def test_the_verb_refuses_it_too(business):
    for given in REFUSED:
        with pytest.raises(domain_names.DomainRefused):
            domains.add(business, given, by=SYSTEM)


def test_our_own_hosts_are_refused(settings):
    settings.BASE_URL, settings.CHECKOUT_ORIGIN = "https://ours.example", "https://pay.ours.example"
    settings.ALLOWED_HOSTS = [".allowed.example"]
    for ours in ("ours.example", "pay.ours.example", "allowed.example", "a.allowed.example"):
        with pytest.raises(domain_names.DomainRefused, match="our own"):
            domain_names.read(ours)


FORGED = (
    "shop.example.com; script-src *", "a.com b.com", "a.com\nX: 1", "*.example.com", "'self'",
    "A.example.com", "shop.example.com:443", "https://a.com", "a.com.", "", "localhost",
)  # fmt: skip


def test_the_database_holds_nothing_but_a_labels(business):
    now = clock.now()
    for forged in FORGED:
        row = CheckoutDomain(business=business, domain=forged, created_at=now, token_expires_at=now)
        with pytest.raises(IntegrityError, match="a_domain_is_a_labels"), transaction.atomic():
            row.save()


def test_twenty_of_the_longest_fit_into_a_header():
    assert domains.MOST_DOMAINS * len(f" https://{'a' * domain_names.LONGEST}") < 4096
