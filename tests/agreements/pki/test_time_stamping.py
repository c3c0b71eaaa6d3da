"""Time-stamping authorities: real HTTP requests to a server in the test."""

import subprocess
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from asn1crypto import tsp

from agreements.pki import seal_keys, time_stampers, time_stamping
from agreements.sealing import pdf_seal
from agreements.verification import inspection
from api.demo.company import EXAMPLE
from console.core import clock
from tests.agreements.sealing import made
from tests.waiting import POLL


class Authority(BaseHTTPRequestHandler):
    """Answer RFC 3161 requests with the certificate of the simulated authority."""

    def do_POST(self) -> None:
        asked = tsp.TimeStampReq.load(self.rfile.read(int(self.headers["Content-Length"])))
        answer = time_stamping.simulated().request_tsa_response(asked).dump()
        self.send_response(200)
        self.send_header("Content-Type", "application/timestamp-reply")
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_) -> None:
        pass


@pytest.fixture
def authority() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Authority)
    threading.Thread(target=server.serve_forever, args=(POLL,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/tsa"
    server.shutdown()
    server.server_close()


NOBODY = "http://127.0.0.1:9/tsa"


def tools(*urls: str) -> pdf_seal.Tools:
    return pdf_seal.Tools(made.a_seal(), time_stampers.Authorities(urls))


def test_an_authority_stamps_the_seal(authority):
    sealed = pdf_seal.seal_pdf(made.a_document(), with_=tools(authority))
    pdf_seal.check_sealed(made.a_document(), sealed, made.time_trusted())
    found = inspection.inspect(sealed, made.time_trusted(), clock.now())
    assert found.stamp == "trusted"


def test_an_authority_that_we_do_not_know_is_called_unknown_or_simulated(authority):
    sealed = pdf_seal.seal_pdf(made.a_document(), with_=tools(authority))
    assert inspection.inspect(sealed, made.our_trust(), clock.now()).stamp == "simulated"


def test_the_second_is_asked_when_the_first_does_not_answer(authority):
    sealed = pdf_seal.seal_pdf(made.a_document(), with_=tools(NOBODY, authority))
    assert inspection.inspect(sealed, made.time_trusted(), clock.now()).stamp == "trusted"


def test_an_outage_is_said_and_no_time_is_made_up():
    with pytest.raises(time_stamping.TimeUnavailable):
        pdf_seal.seal_pdf(made.a_document(), with_=tools(NOBODY))


def test_after_a_while_a_pack_is_sealed_with_its_time_pending(settings, tmp_path):
    settings.PKI_DIR, settings.TSA_URL = tmp_path, NOBODY
    seal_keys.set_up(EXAMPLE["legal_name"])
    tools = pdf_seal.tools(time_may_wait=True)
    assert tools.time_state == "pending"
    sealed = pdf_seal.seal_pdf(made.a_document(), with_=tools)
    assert inspection.inspect(sealed, made.time_trusted(), clock.now()).stamp == "none"


def test_an_authority_that_answers_is_used_even_when_the_time_may_wait(
    settings, tmp_path, authority
):
    settings.PKI_DIR, settings.TSA_URL = tmp_path, f"{NOBODY}, {authority}"
    seal_keys.set_up(EXAMPLE["legal_name"])
    assert pdf_seal.tools(time_may_wait=True).time_state == "trusted"


def test_an_outage_leaves_no_token():
    with pytest.raises(time_stamping.TimeUnavailable):
        time_stamping.token(time_stampers.Authorities((NOBODY,)), b"data")
    assert time_stamping.token(None, b"data") == b""


def test_a_clock_that_is_wrong_stops_sealing(monkeypatch):
    sealed = pdf_seal.seal_pdf(
        made.a_document(), with_=pdf_seal.Tools(made.a_seal(), time_stamping.simulated())
    )
    late = clock.now() + timedelta(minutes=5)
    monkeypatch.setattr(clock, "now", lambda: late)
    with pytest.raises(pdf_seal.SealBroken, match="clock"):
        pdf_seal.check_sealed(made.a_document(), sealed, made.our_trust())


def test_openssl_accepts_the_detached_token(tmp_path):
    token = time_stamping.token(time_stamping.simulated(), b"the manifest")
    (tmp_path / "data").write_bytes(b"the manifest")
    (tmp_path / "token").write_bytes(token)
    (tmp_path / "chain").write_bytes(time_stamping.chain_of(token))
    ask = ["openssl", "ts", "-verify", "-data", "data", "-in", "token", "-CAfile", "chain"]
    said = subprocess.run(ask, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "Verification: OK" in said.stdout + said.stderr
    (tmp_path / "data").write_bytes(b"another manifest")
    said = subprocess.run(ask, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert said.returncode != 0
