"""The name, colour and logo of the company that runs the console."""

import pytest

from console.shell import brand, mail
from tests import factories

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h4v4"/></svg>'


@pytest.fixture
def branded(settings, tmp_path):
    logo = tmp_path / "logo.svg"
    logo.write_text(SVG)
    settings.CONSOLE_NAME, settings.CONSOLE_COLOUR = "Harbour & Quay Pay", "#7a1f5c"
    settings.CONSOLE_LOGO = str(logo)
    return settings


def test_pages_show_the_name_colour_and_logo(branded, client):
    page = client.get("/").text
    assert "Harbour &amp; Quay Pay</a>" in page
    assert "· Harbour &amp; Quay Pay</title>" in page
    assert "Access Console" not in page

    sheet, logo = (brand.address(*one) for one in brands())
    assert sheet in page
    assert logo in page
    assert "#7a1f5c" in client.get(sheet).text
    answer = client.get(logo)
    assert (answer.text, answer["Content-Type"]) == (SVG, "image/svg+xml")


def brands():
    return (brand.SHEET, brand.sheet()), (brand.LOGO, brand.logo())


def test_e_mails_and_the_payment_host_show_it(branded, client, mailoutbox):
    mail.send("signed_up_again", "amara@example.com", {"person": factories.a_person()})
    (sent,) = mailoutbox
    assert "an account of Harbour & Quay Pay" in sent.body

    host = branded.CHECKOUT_ORIGIN.partition("//")[2]
    there = client.get("/checkout/cs_unknown", headers={"host": host})
    assert brand.address(brand.SHEET, brand.sheet()) in there.text
    assert client.get("/brand.css", headers={"host": host}).status_code == 200


def test_without_settings_pages_are_ours_and_link_nothing(client):
    page = client.get("/").text
    assert "Access Console</a>" in page
    assert "/brand" not in page
    assert client.get("/brand.css").status_code == client.get("/brand.svg").status_code == 404
