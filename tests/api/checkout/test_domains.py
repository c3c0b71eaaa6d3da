"""Domains that may show payments: added, proved by DNS or a file, checked again, revoked."""

import base64
import time
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.urls import reverse

from api.checkout import domain_checks, domains, frame_ancestors
from api.checkout.domain_names import DomainRefused
from api.checkout.lifecycle import DomainMethod, DomainStatus
from api.checkout.models import FILE_PATH, CheckoutDomain
from api.payments.models import CheckoutSession
from console.accounts.actors import SYSTEM
from console.audit.models import Entry
from console.core import clock
from console.core.refusals import WrongStatus
from console.events.models import Event
from tests import factories
from tests.api.checkout.proving import DOMAIN
from tests.waiting import PATIENCE, at_once


def at(name: str, domain: CheckoutDomain) -> str:
    return reverse(f"api:{name}", args=[domain.business.public_id, domain.public_id])


def settings_at(business: Any) -> str:
    return reverse("api:checkout_settings", args=[business.public_id])


def proved(names: Any, domain: CheckoutDomain) -> CheckoutDomain:
    """Set the record, and check it as the nightly job does."""
    names.records[f"_service-challenge.{domain.domain}"] = [f"token={domain.token}"]
    return domain_checks.check(domain, by=SYSTEM)


def verify(client: Any, domain: CheckoutDomain) -> CheckoutDomain:
    """Press the button."""
    page = client.post(at("check_domain", domain))
    assert page.status_code == 302
    domain.refresh_from_db()
    return domain


def framing(business: Any, environment: str = "sandbox") -> list[str]:
    return frame_ancestors.of_session(CheckoutSession(business=business, environment=environment))


def told(kind: str) -> int:
    """Return how many events, each with its audit entry."""
    assert Event.objects.filter(kind=kind).count() == Entry.objects.filter(code=kind).count()
    return Event.objects.filter(kind=kind).count()


# Adding ----------------------------------------------------------------------------------------


def test_a_domain_is_added_with_a_record_and_a_file_to_copy(developer, business):
    page = developer.post(
        reverse("api:add_domain", args=[business.public_id]), {"domain": "Shop.Example.com"},
        follow=True,
    )  # fmt: skip

    (domain,) = CheckoutDomain.objects.of(business)
    assert (domain.domain, domain.status) == (DOMAIN, DomainStatus.UNVERIFIED)
    assert len(base64.b32decode(domain.token.upper())) * 8 == 160
    text = page.content.decode()
    for value in (f"_service-challenge.{DOMAIN}", f"token={domain.token}", domain.token,
                  f"https://{DOMAIN}{FILE_PATH}"):  # fmt: skip
        assert f'data-copy="{value}"' in text
    assert told("checkout_domain.added") == 1
    assert framing(business) == []


def test_shared_hosting_is_proved_by_a_file_alone(developer, business, names, site):
    domain = domains.add(business, "me.github.io", by=SYSTEM)

    assert "_service-challenge" not in developer.get(settings_at(business)).content.decode()
    assert proved(names, domain).status == DomainStatus.UNVERIFIED
    assert names.asked == []


def test_a_domain_is_added_once_and_twenty_at_most(developer, business, domain):
    add = reverse("api:add_domain", args=[business.public_id])
    assert b"already added this domain" in developer.post(add, {"domain": DOMAIN}).content
    for number in range(19):
        domains.add(business, f"s{number}.example.com", by=SYSTEM)
    assert b"at most 20 domains" in developer.post(add, {"domain": "s20.example.com"}).content
    assert CheckoutDomain.objects.of(business).count() == 20


@pytest.mark.django_db(transaction=True)
def test_many_at_once_never_pass_the_most():
    business = factories.a_business()
    for number in range(18):
        domains.add(business, f"s{number}.example.com", by=SYSTEM)

    def press(number: int) -> str:
        try:
            domains.add(business, f"t{number}.example.com", by=SYSTEM)
        except DomainRefused:
            return "refused"
        return "added"

    assert sorted(at_once(8, press)) == ["added"] * 2 + ["refused"] * 6


# The proof -------------------------------------------------------------------------------------


def test_a_record_among_several_verifies(developer, domain, names):
    half = len(domain.txt_value) // 2
    # The parts of one record are put together again.
    names.records[domain.txt_name] = [
        "v=spf1 -all", "token=other", f"{domain.txt_value[:half]}|{domain.txt_value[half:]}"
    ]  # fmt: skip

    verify(developer, domain)

    assert (domain.status, domain.method) == (DomainStatus.VERIFIED, DomainMethod.DNS)
    assert domain.token_expires_at is None
    assert framing(domain.business) == [f"https://{DOMAIN}"]
    assert framing(domain.business, "live") == [f"https://{DOMAIN}"]
    assert told("checkout_domain.verified") == 1


def test_a_file_verifies(developer, domain, names, site):
    site.serve(f"\n {domain.token}\r\n".encode())

    verify(developer, domain)

    assert (domain.status, domain.method) == (DomainStatus.VERIFIED, DomainMethod.FILE)
    (request,) = site.requests
    assert request.startswith(f"GET {FILE_PATH} HTTP/1.1\r\n".encode())
    assert f"Host: {DOMAIN}\r\n".encode() in request
    assert not any(word in request.lower() for word in (b"cookie", b"authorization"))


@pytest.mark.parametrize(
    "record", ["", "token=", "{token}", "token={token}x", "x token={token}", "TOKEN={token}"]
)
def test_another_record_does_not_verify(developer, domain, names, site, record):
    names.records[domain.txt_name] = [record.format(token=domain.token)]
    names.records[DOMAIN] = [domain.txt_value]

    assert verify(developer, domain).status == DomainStatus.UNVERIFIED
    assert framing(domain.business) == []


@pytest.mark.parametrize(
    ("body", "status", "more"),
    [
        ("", "200 OK", ""),
        ("{token}x", "200 OK", ""),
        ("<p>{token}</p>", "200 OK", ""),
        ("{token}\n{token}", "200 OK", ""),
        ("{token}" + " " * 4096, "200 OK", ""),
        ("{token}", "404 Not Found", ""),
        ("{token}", "206 Partial Content", ""),
        ("{token}", "302 Found", "Location: https://shop.example.com/other.txt\r\n"),
        ("{token}", "500 Oops", ""),
    ],
)
def test_another_file_does_not_verify(developer, domain, names, site, body, status, more):
    site.serve(body.format(token=domain.token).encode(), status, more)

    assert verify(developer, domain).status == DomainStatus.UNVERIFIED
    assert len(site.requests) == 1


def test_a_token_proves_nothing_for_another_business(developer, domain, names):
    agency = domains.add(factories.a_business("Agency"), DOMAIN, by=SYSTEM)
    assert agency.token != domain.token
    proved(names, agency)

    assert verify(developer, domain).status == DomainStatus.UNVERIFIED
    assert framing(domain.business) == []

    names.records[domain.txt_name].append(domain.txt_value)
    assert verify(developer, domain).status == DomainStatus.VERIFIED
    assert framing(agency.business) == framing(domain.business) == [f"https://{DOMAIN}"]


def test_a_site_within_our_network_is_not_asked(developer, domain, names, site, settings):
    settings.WEBHOOK_EGRESS_ALLOW_CIDRS = []
    site.serve(domain.token.encode())

    assert verify(developer, domain).status == DomainStatus.UNVERIFIED
    assert site.requests == []


def test_a_name_server_that_does_not_answer_is_not_waited_for(monkeypatch, domain, names, site):
    names.is_silent = True
    monkeypatch.setattr(domain_checks, "_DNS_SECONDS", 0.2)
    site.serve(domain.token.encode())
    began = time.monotonic()

    assert domain_checks.check(domain, by=SYSTEM).status == DomainStatus.VERIFIED
    assert time.monotonic() - began < PATIENCE


def test_a_token_that_proves_nothing_for_7_days_stops_working(developer, domain, names):
    names.records[domain.txt_name] = [domain.txt_value]
    was = domain.token
    assert domains.renew_token(domain, by=SYSTEM).token == was

    with time_machine.travel(clock.now() + timedelta(days=7, seconds=1)):
        factories.signed_in(developer, factories.owner_of(domain.business))
        page = developer.post(at("check_domain", domain))
        assert page.status_code == 409
        assert was not in developer.get(settings_at(domain.business)).content.decode()
        developer.post(at("renew_domain", domain))
        domain.refresh_from_db()
        assert domain.token != was
        assert verify(developer, domain).status == DomainStatus.UNVERIFIED
        assert proved(names, domain).status == DomainStatus.VERIFIED
    assert told("checkout_domain.renewed") == 1


def test_checks_are_limited(developer, domain, names, site, stopped_clock):
    statuses = [developer.post(at("check_domain", domain)).status_code for _ in range(41)]
    assert statuses == [302] * 40 + [429]


@pytest.mark.django_db(transaction=True)
def test_eight_checks_at_once_verify_it_once(names, site):
    domain = domains.add(factories.a_business(), DOMAIN, by=SYSTEM)
    names.records[domain.txt_name] = [domain.txt_value]

    found = at_once(8, lambda _: domain_checks.check(domain, by=SYSTEM).status)

    assert set(found) == {DomainStatus.VERIFIED}
    assert told("checkout_domain.verified") == 1


def test_a_result_of_a_replaced_token_does_not_count(domain):
    checked = CheckoutDomain.objects.get(pk=domain.pk)
    with time_machine.travel(clock.now() + timedelta(days=8)):
        domains.renew_token(domain, by=SYSTEM)
        settled = domains.settle(checked, DomainMethod.DNS, by=SYSTEM)
    assert settled.status == DomainStatus.UNVERIFIED


# Later -----------------------------------------------------------------------------------------


def night(moment: datetime, names: Any) -> list[str]:
    """Run the nightly job at that time, and return the names it asked for."""
    names.asked.clear()
    with time_machine.travel(moment):
        domain_checks.check_due()
        domain_checks.check_due()
    return list(names.asked)


def test_it_is_checked_again_after_30_days(domain, names, site):
    proved(names, domain)
    now = clock.now()

    assert night(now + timedelta(days=29), names) == []
    assert night(now + timedelta(days=31), names) == [domain.txt_name]
    assert night(now + timedelta(days=32), names) == []


def test_two_misses_48_hours_apart_revoke_it_and_tell_the_business(domain, names, site):
    proved(names, domain)
    names.records.clear()
    first = clock.now() + timedelta(days=31)

    night(first, names)
    with time_machine.travel(first + timedelta(hours=47)):
        domain_checks.check(domain, by=SYSTEM)
    domain.refresh_from_db()
    assert (domain.status, framing(domain.business)) == ("verified", [f"https://{DOMAIN}"])
    mail.outbox.clear()
    night(first + timedelta(days=3), names)
    domain.refresh_from_db()
    assert (domain.status, framing(domain.business)) == ("revoked", [])
    with time_machine.travel(first + timedelta(days=3, hours=1)):
        factories.settle()

    (letter,) = mail.outbox
    assert letter.to == [factories.owner_of(domain.business).email]
    assert DOMAIN in str(letter.subject)
    assert settings_at(domain.business) in str(letter.body)
    assert told("checkout_domain.missed") == told("checkout_domain.revoked") == 1


def test_a_proof_that_is_back_ends_the_count(domain, names, site):
    proved(names, domain)
    first = clock.now() + timedelta(days=31)
    records, names.records = names.records, {}
    night(first, names)
    names.records = records
    night(first + timedelta(days=1), names)
    names.records = {}
    night(first + timedelta(days=32), names)
    domain.refresh_from_db()

    assert domain.status == DomainStatus.VERIFIED
    assert domain.missed_at == domain.checked_at


def test_the_former_token_does_not_prove_a_revoked_domain(domain, names, site):
    proved(names, domain)
    records, names.records = names.records, {}
    night(clock.now() + timedelta(days=31), names)
    night(clock.now() + timedelta(days=34), names)
    domain.refresh_from_db()
    names.records = records

    with time_machine.travel(clock.now() + timedelta(days=35)):
        assert domain_checks.check(domain, by=SYSTEM).status == DomainStatus.REVOKED
        assert proved(names, domain).status == DomainStatus.VERIFIED


def test_the_page_says_that_the_proof_is_missing(developer, domain, names, site):
    proved(names, domain)
    names.records.clear()
    verify(developer, domain)

    page = developer.get(settings_at(domain.business)).content.decode()
    assert "We no longer find the proof" in page
    assert f'data-copy="{domain.txt_value}"' in page


def test_removing_it_says_so_first_and_ends_it_at_once(developer, domain, names):
    proved(names, domain)

    assert DOMAIN in developer.get(at("remove_domain", domain)).content.decode()
    assert framing(domain.business) == [f"https://{DOMAIN}"]
    developer.post(at("remove_domain", domain))

    assert framing(domain.business) == []
    assert told("checkout_domain.removed") == 1
    with pytest.raises(WrongStatus, match="removed"):
        domain_checks.check(domain, by=SYSTEM)
