"""The page about taking payments says what the sandbox can simulate, and how a session ends."""

from django.urls import reverse

from api.checkout import widget
from api.payments.lifecycle import CheckoutStatus
from api.v1.checkout_session_serializers import FAULTS


def test_it_names_every_fault_and_status(client):
    page = client.get(reverse("api:checkout_guide")).text
    for word in (*[f"fault: {fault}" for fault in FAULTS], *CheckoutStatus.values):
        assert f'<dt class="mono">{word}</dt>' in page, word


def test_it_shows_the_newest_script_with_its_hash(client):
    page = client.get(reverse("api:checkout_guide")).text
    assert f"/widget/{max(widget.SCRIPTS)}/checkout.js" in page
    assert widget.integrity() in page


def test_its_link_to_the_event_leads_there(client):
    anchor = "checkout-session-paid"
    assert f"#{anchor}" in client.get(reverse("api:checkout_guide")).text
    assert f'id="{anchor}"' in client.get(reverse("api:events")).text
