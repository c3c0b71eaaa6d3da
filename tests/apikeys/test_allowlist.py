"""Changing an allowlist: permissions, wide networks, decisions, and the dry run."""

import pytest
from django.urls import reverse

from apikeys.allowed_networks import UnusableNetwork
from apikeys.allowlist import allowlist
from apikeys.allowlist.allowlist import TooWide
from apikeys.lifecycle import Environment, NetworkStatus
from apikeys.models import RequestLog
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core import clock
from console.core.refusals import NotAllowed, Stale, WrongStatus
from console.events.models import Event
from tests import factories
from tests.apikeys import world


@pytest.fixture
def grant():
    return world.a_grant()


@pytest.fixture
def owner(grant):
    return factories.owner_of(grant.business)


def called_from(grant, ip, times=1, environment="sandbox"):
    for number in range(times):
        RequestLog.objects.create(
            at=clock.now(), request_id=f"req_{ip}_{number}", business=grant.business,
            environment=environment, method="GET", path="/me", status=200, ip=ip, microseconds=1,
        )  # fmt: skip


def test_a_list_is_kept_in_order_audited_and_told(grant, owner):
    typed = ["203.0.113.0/24", "10.0.0.1", "203.0.113.0/24", "2a01:4f8::/48"]
    grant = allowlist.set_of_business(grant, typed, by=owner)

    assert grant.networks == ["10.0.0.1/32", "203.0.113.0/24", "2a01:4f8::/48"]
    allowlist.set_of_business(grant, grant.networks, by=owner)
    assert Event.objects.filter(kind="network.changed", subject_id=grant.public_id).count() == 1
    (entry,) = Entry.objects.filter(code="network.changed")
    assert '"after":{"networks":["10.0.0.1/32"' in entry.body


def test_a_key_may_have_its_own(grant, owner):
    key, _ = world.a_key(grant)
    assert allowlist.set_of_key(key, ["10.0.0.1"], by=owner).networks == ["10.0.0.1/32"]
    assert Event.objects.filter(kind="network.changed", subject_id=key.public_id).count() == 1


@pytest.mark.parametrize("role", [Role.DEVELOPER, Role.SIGNATORY, Role.VIEWER])
def test_others_of_the_business_may_not(grant, role):
    person = factories.a_member(grant.business, role)
    with pytest.raises(NotAllowed):
        allowlist.set_of_business(grant, ["10.0.0.1"], by=person)
    with pytest.raises(NotAllowed):
        allowlist.ask(grant, "10.0.0.0/8", reason="Wide.", by=person)


def test_live_needs_a_list(owner, grant):
    live = world.a_grant(grant.business, environment=Environment.LIVE)
    allowlist.set_of_business(live, ["81.2.69.0/24"], by=owner)
    called_from(live, "81.2.69.7", environment="live")

    # A business that must stop all calls empties the list, and sees first what that would refuse.
    assert [one.ip for one in allowlist.refused(live, None, [])] == ["81.2.69.7"]
    assert allowlist.set_of_business(live, [], by=owner).networks == []
    assert allowlist.set_of_business(grant, [], by=owner).networks == []


def test_a_list_ends_at_50(grant, owner):
    with pytest.raises(UnusableNetwork, match="50"):
        allowlist.set_of_business(grant, [f"81.2.3.{n}" for n in range(51)], by=owner)


def test_a_wide_network_is_asked_for_and_granted(grant, owner):
    with pytest.raises(TooWide):
        allowlist.set_of_business(grant, ["81.0.0.0/8"], by=owner)
    allowlist.set_of_business(grant, ["10.0.0.1"], by=owner)
    asked = allowlist.ask(grant, "81.0.0.0/8", reason="Our own network.", by=owner)
    with pytest.raises(UnusableNetwork):
        allowlist.ask(grant, "81.0.0.0/8", reason="Twice.", by=owner)
    officer = factories.one_of_staff(Role.COMPLIANCE)
    asked = allowlist.decide(asked, granted=True, reason="Seen in the register.", by=officer)

    grant.refresh_from_db()
    assert (asked.status, asked.decided_by) == (NetworkStatus.GRANTED, officer)
    assert grant.networks == ["10.0.0.1/32", "81.0.0.0/8"]
    # A granted network stays when the business changes the rest, and a key may use it too.
    kept = allowlist.set_of_business(grant, ["81.0.0.0/8"], by=owner)
    key, _ = world.a_key(grant)
    assert allowlist.set_of_key(key, kept.networks, by=owner).networks == ["81.0.0.0/8"]
    with pytest.raises(WrongStatus):
        allowlist.decide(asked, granted=False, reason="Late.", by=officer)


def test_declining_changes_no_list(grant, owner):
    asked = allowlist.ask(grant, "81.0.0.0/8", reason="Wide.", by=owner)
    officer = factories.one_of_staff(Role.COMPLIANCE)
    allowlist.decide(asked, granted=False, reason="No.", by=officer)
    grant.refresh_from_db()
    assert grant.networks == []


def test_our_others_and_those_who_belonged_do_not_decide(grant, owner):
    asked = allowlist.ask(grant, "81.0.0.0/8", reason="Wide.", by=owner)
    officer = factories.one_of_staff(Role.COMPLIANCE)
    factories.join(grant.business, officer, Role.VIEWER)
    for person in (factories.one_of_staff(Role.ACCOUNT_MANAGER), officer, owner):
        with pytest.raises(NotAllowed):
            allowlist.decide(asked, granted=True, reason="Yes.", by=person)


def test_it_tells_whom_a_list_would_refuse(grant):
    called_from(grant, "81.2.3.4", 3)
    called_from(grant, "81.2.3.5")
    called_from(grant, "10.0.0.1", 2)
    called_from(grant, "81.9.9.9", environment="live")
    called_from(world.a_grant(), "81.7.7.7")

    found = allowlist.refused(grant, None, ["10.0.0.0/24"])
    assert [(one.ip, one.calls) for one in found] == [("81.2.3.4", 3), ("81.2.3.5", 1)]
    assert allowlist.refused(grant, None, []) == []


def test_the_pages(client, grant, owner):
    called_from(grant, "81.2.3.4")
    factories.signed_in(client, owner)
    args = [grant.business.public_id, grant.public_id]
    edit = reverse("apikeys:edit_networks", args=args)

    page = client.get(f"{edit}?add=81.2.3.4")
    assert b"81.2.3.4" in page.content
    assert b"The sandbox allowlist" in page.content
    page = client.post(edit, {"networks": "198.51.100.0/24", "try": "yes"})
    assert b"1 address that called in the last 30 days would be refused" in page.content
    assert b"256 addresses" in page.content
    grant.refresh_from_db()
    assert grant.networks == []
    assert b"Did you mean 10.0.0.0/24?" in client.post(edit, {"networks": "10.0.0.1/24"}).content
    assert b"request a wider network" in client.post(edit, {"networks": "81.0.0.0/8"}).content

    page = client.post(edit, {"networks": "198.51.100.0/24, 127.0.0.1"}, follow=True)
    assert b"We have saved the allowlist" in page.content
    assert b"256 addresses" in page.content
    assert b"127.0.0.1" in page.content
    ask = reverse("apikeys:ask_network", args=args)
    page = client.post(ask, {"network": "81.0.0.0/8", "reason": "Ours."}, follow=True)
    assert b"We have received your request" in page.content

    factories.signed_in(client, factories.a_member(grant.business, Role.DEVELOPER))
    page = client.get(reverse("apikeys:allowlists", args=args[:1]))
    assert b"198.51.100.0/24" in page.content
    assert b"Change the list" not in page.content
    assert client.post(edit, {"networks": ""}).status_code == 403


def test_a_page_from_before_a_change_undoes_nothing(client, grant, owner):
    factories.signed_in(client, owner)
    edit = reverse("apikeys:edit_networks", args=[grant.business.public_id, grant.public_id])
    first = {"networks": "198.51.100.7", "seen": ""}

    assert [client.post(edit, first).status_code for _ in range(2)] == [302, 302]
    refused = client.post(edit, {"networks": "198.51.100.8", "seen": ""})
    assert refused.status_code == 409
    assert b"Somebody changed this list" in refused.content
    grant.refresh_from_db()
    assert grant.networks == ["198.51.100.7/32"]

    shown = b'name="seen" value="198.51.100.7/32"'
    assert shown in client.get(edit).content
    assert client.post(edit, {"networks": "", "seen": "198.51.100.7/32"}).status_code == 302


def test_a_page_of_a_key_from_before_a_change_undoes_nothing(grant, owner):
    key, _ = world.a_key(grant)
    allowlist.set_of_key(key, ["10.0.0.1"], seen=[], by=owner)
    with pytest.raises(Stale):
        allowlist.set_of_key(key, ["10.0.0.2"], seen=[], by=owner)


def test_compliance_decides_on_its_page(client, grant, owner):
    asked = allowlist.ask(grant, "81.0.0.0/8", reason="Wide.", by=owner)
    factories.signed_in(client, factories.one_of_staff(Role.COMPLIANCE))
    listed = client.get(reverse("apikeys:network_requests"))
    decide = reverse("apikeys:decide_network", args=[asked.public_id])
    assert decide.encode() in listed.content
    assert b"contains 16777216 addresses" in client.get(decide).content
    assert b"Say why" in client.post(decide, {"decision": "grant"}).content
    full = [f"81.2.3.{number}" for number in range(50)]
    allowlist.set_of_business(grant, full, by=owner)
    page = client.post(decide, {"decision": "grant", "reason": "I saw it."})
    assert b"A list can have at most 50 networks." in page.content
    assert b"I saw it.</textarea>" in page.content
    allowlist.set_of_business(grant, full[1:], by=owner)
    page = client.post(decide, {"decision": "grant", "reason": "Seen."}, follow=True)
    assert b"81.0.0.0/8: granted." in page.content
