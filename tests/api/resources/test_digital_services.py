"""Digital services: everything listed can be ordered, and is paid for once."""

import pytest

from api.payments import digital_services
from api.payments.models import ServiceOrder
from console.publishing.files import FileFault
from tests import factories
from tests.api.asking import ROWS, faults, pointed
from tests.api.paying import left

SERVICES = "/sandbox/v1/digital-services"
ORDERS = "/digital-services/orders"
CREATE = ROWS["POST", ORDERS]
PHONE = "+2348012345678"


def order(client, amount="500.00", **more):
    return client.ask(CREATE, ORDERS, client.body_of(CREATE) | {"amount": amount} | more)


def held(client):
    return left(client.api, client.plain)


def test_an_order_is_paid_for(client):
    reply = order(client)

    assert reply.status == 201, reply.body
    made = reply.json
    assert (made["status"], made["fee"], made["failure"]) == ("completed", "0.00", None)
    assert held(client) == ("999500.00", "0.00")


def test_every_service_that_is_listed_can_be_ordered(client):
    found = client.api.get(SERVICES, client.plain).json["data"]
    assert {one["category"] for one in found} == {"airtime", "data", "bills"}

    for one in found:
        made = order(client, one["min_amount"], service_id=one["id"], recipient=recipient_of(one))
        assert made.status == 201, made.body
        assert made.json["currency"] == one["currency"]


def recipient_of(one):
    return "METER-0001" if one["category"] == "bills" else PHONE


def test_a_list_is_narrowed_to_a_kind_and_a_country(client):
    found = client.api.get(SERVICES, client.plain, "category=airtime&country=GH").json["data"]

    assert [one["id"] for one in found] == ["airtime-gh"]


def test_an_order_that_is_refused_changes_nothing(client):
    for change, code in [
        ({"recipient": "+2348012345000"}, "STOCK_CONFLICT"),
        ({"service_id": "airtime-none"}, "VALIDATION_ERROR"),
    ]:
        assert order(client, **change).code == code
        assert held(client) == ("1000000.00", "0.00")
        assert not ServiceOrder.objects.exists()


def test_a_mistake_is_named(client):
    for change, pointer, code in [
        ({"amount": "500.001"}, "/amount", "wrong_shape"),
        ({"amount": "49.99"}, "/amount", "out_of_range"),
        ({"amount": "50000.01"}, "/amount", "out_of_range"),
        ({"recipient": "08012345678"}, "/recipient", "wrong_shape"),
        ({"recipient": "no"}, "/recipient", "wrong_shape"),
        ({"service_id": "bills-ng-electricity"}, "/recipient", "wrong_shape"),
        ({"service_id": "airtime-none"}, "/service_id", "not_found"),
    ]:
        assert faults(order(client, **change)) == [(pointer, code)]
        assert not ServiceOrder.objects.exists()


def test_a_country_that_is_restricted_later_is_no_longer_served(client):
    factories.restricted("NG", "Nigeria")

    found = client.api.get(SERVICES, client.plain).json["data"]
    assert "NG" not in {one["country"] for one in found}
    assert pointed(order(client)) == ["/service_id"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"id": "airtime-gh"}, "airtime-gh is there twice."),
        ({"category": "lottery"}, "of no known category"),
        ({"currency": "cNGN"}, "no currency that every business holds"),
        ({"min_amount": "60000.00"}, "at least more than it costs at most"),
        ({"max_amount": "many"}, "Enter an amount"),
    ],
)
def test_a_catalogue_with_a_fault_is_not_read(change, said):
    newest = digital_services.FILES.newest()
    services = [vars(one) for one in newest.services]
    services[0] = services[0] | change

    with pytest.raises(FileFault, match=said):
        digital_services.FILES.parse({"version": "2027-01-01", "services": services})
