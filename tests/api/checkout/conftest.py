"""A business with a name server and a site on loopback."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from api.checkout import domain_checks, domains
from api.checkout.models import CheckoutDomain
from console.accounts.roles import Role
from console.core import outbound
from console.core.outbound import Patience
from tests import factories
from tests.api.checkout.proving import DOMAIN, NameServer, Site, a_name_server
from tests.core import receiving


@pytest.fixture
def business():
    return factories.a_business()


@pytest.fixture
def developer(client: Client, business) -> Client:
    return factories.signed_in(client, factories.a_member(business, Role.DEVELOPER))


@pytest.fixture
def names(settings) -> Iterator[NameServer]:
    """The name server that checks ask."""
    with a_name_server() as server:
        settings.DNS_SERVER = server.address
        yield server


@pytest.fixture
def site(tmp_path, monkeypatch, settings) -> Iterator[Site]:
    """The site of every domain, on the port that this machine had free."""
    settings.WEBHOOK_EGRESS_ALLOW_CIDRS = ["127.0.0.0/8"]
    found = Site(tmp_path)
    context = outbound._context()
    context.load_verify_locations(found.certificate)
    monkeypatch.setattr(outbound, "_context", lambda: context)
    monkeypatch.setattr(
        domain_checks, "_FILE", Patience(lookup=60.0, connect=60.0, total=60.0, refused=0.0)
    )
    with receiving.listening(found.behave) as server:
        connect = socket.socket.connect

        def here(self: socket.socket, address: Any) -> None:
            connect(self, ("127.0.0.1", server.port) if address == ("127.0.0.1", 443) else address)

        monkeypatch.setattr(socket.socket, "connect", here)
        monkeypatch.setattr(
            socket, "getaddrinfo", lambda *_, **__: [(0, 0, 0, "", ("127.0.0.1", 0))]
        )
        yield found


@pytest.fixture
def domain(business) -> CheckoutDomain:
    return domains.add(business, DOMAIN, by=factories.owner_of(business))
