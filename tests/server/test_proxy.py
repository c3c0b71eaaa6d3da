"""The deployment examples pass the deploy check, and nginx tells clients apart."""

import http.client
import json
import shutil

import pytest

from console.audit.models import Entry
from console.launch.check import CheckStep, failed, steps
from tests import factories
from tests.launch.deployed import FORGED, Proxy, filled
from tests.proofs import Proven, proof
from tests.server.wire import HOST
from tests.services import Services

TOKEN = "token-that-nobody-else-may-read"


@pytest.mark.check
def test_the_examples_pass_the_deploy_check(monkeypatch: pytest.MonkeyPatch) -> None:
    inherited = ("DEMO", "HTTPS", "SELF_MADE_SEAL", "STATICFILES_STORAGE")
    for name in ("DJANGO_ALLOW_ASYNC_UNSAFE", *inherited):
        monkeypatch.delenv(name)
    deployment = next(step for step in steps() if step.name == "deployment")
    example = CheckStep("example", deployment.command, filled())
    assert failed([example]) == []
    unsafe = CheckStep("unsafe", deployment.command, filled() | {"TRUSTED_PROXIES": ""})
    assert failed([unsafe]) == ["unsafe"]


@pytest.mark.services
@proof(
    "R14",
    "clients behind a real proxy",
    small=2,
    full=32,
    asked="each client its own address, 0 claimed ones believed",
)
def test_each_client_has_its_own_address(proxy: Proxy, proven: Proven) -> None:
    password = "a long password of nobody else"
    clients = [f"127.0.0.{number}" for number in range(2, 2 + proven.size)]
    seen = {}
    for client in clients:
        person = factories.a_person(password=password)
        answer = proxy.submit(client, "/sign-in/", email=person.email, password=password)
        assert answer.status == 302
        entry = Entry.objects.get(code="person.signed_in", actor_id=person.public_id)
        seen[client] = json.loads(entry.body)["body"]["request"]["ip"]

    own = sum(client == found for client, found in seen.items())
    believed = sum(found == FORGED for found in seen.values())
    told = f"{own} of {len(clients)} clients have their own address, {believed} claimed believed"
    proven.reached(told, met=own == len(clients) and not believed)


@pytest.mark.services
def test_plain_http_leads_to_tls_and_cookies_are_safe(proxy: Proxy) -> None:
    plain = http.client.HTTPConnection("127.0.0.1", proxy.plain, timeout=30)
    plain.request("GET", "/sign-in/", headers={"Host": HOST})
    answer = plain.getresponse()
    assert (answer.status, answer.headers["Location"]) == (301, f"https://{HOST}/sign-in/")
    plain.close()

    page = proxy.ask("127.0.0.2", "GET", "/sign-in/")
    assert page.status == 200
    assert "max-age=63072000" in page.headers["Strict-Transport-Security"]
    assert all(cookie.startswith("__Host-") for cookie in page.headers.get_all("Set-Cookie"))


@pytest.mark.services
def test_a_token_in_an_address_stands_in_no_log(proxy: Proxy, services: Services) -> None:
    path = f"/sign-in/reset/usr_x/{TOKEN}/"
    from_there = {"Referer": f"https://{HOST}{path}"}
    plain = http.client.HTTPConnection("127.0.0.1", proxy.plain, timeout=30)
    plain.request("GET", path, headers={"Host": HOST})
    assert plain.getresponse().status == 301
    plain.close()
    assert proxy.ask("127.0.0.2", "GET", path, **from_there).status < 500
    # Simulates a full disk, about which nginx logs the most details.
    shutil.rmtree(proxy.folder / "client_body")
    assert proxy.ask("127.0.0.2", "POST", path, "x" * 20_000, **from_there).status == 500
    services.stop("web")
    assert proxy.ask("127.0.0.2", "GET", path, **from_there).status == 502
    logs = [file for file in proxy.folder.rglob("*") if file.is_file()]
    assert proxy.folder / "error.log" in logs
    assert not [file for file in logs if TOKEN.encode() in file.read_bytes()]


@pytest.mark.services
def test_plain_http_leads_nowhere_else(proxy: Proxy) -> None:
    plain = http.client.HTTPConnection("127.0.0.1", proxy.plain, timeout=30)
    plain.request("GET", "/sign-in/", headers={"Host": "evil.example"})
    assert plain.getresponse().headers["Location"] == f"https://{HOST}/sign-in/"
    plain.close()
