"""The provider `yente`, against a stand-in server that speaks its published format."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from onboarding.checks.providers import Inquiry, ProviderDown
from onboarding.checks.yente import Yente
from onboarding.lifecycle import CheckStatus
from onboarding.registers import asking
from onboarding.registers.records import RegisterDown
from tests.core import receiving
from tests.waiting import POLL

PERSON = Inquiry(
    "screening", "Gorvan Listed", "Kettle Ltd", country="KP", born="1961-04-12", is_person=True
)
COMPANY = Inquiry("screening", "Vorkesh Ltd", "Vorkesh Ltd", country="GB", number="09999991")
ENTRY = {
    "id": "NK-1",
    "caption": "Gorvan Listed",
    "schema": "Person",
    "properties": {
        "name": ["Gorvan Listed", "Gor Van"],
        "birthDate": ["1961"],
        "nationality": ["kp"],
    },
    "datasets": ["test_list"],
    "referents": [],
    "target": True,
    "score": 0.93,
    "features": {"name_match": 0.93},
    "match": True,
}


class StandIn(ThreadingHTTPServer):
    """A yente service whose entries the test sets. `down` answers with that status."""

    def __init__(self):
        self.entries, self.asked, self.down = [], [], 0
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, args=(POLL,), daemon=True).start()

    def answer(self, queries):
        return {
            "responses": {
                name: {
                    "status": 200,
                    "results": self.entries,
                    "total": {"value": len(self.entries), "relation": "eq"},
                    "query": query,
                }
                for name, query in queries.items()
            },
            "matcher": {},
            "limit": 5,
        }


class Handler(BaseHTTPRequestHandler):
    """Answers `POST /match/{dataset}`."""

    server: StandIn

    def do_POST(self):
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers["Authorization"], sent["queries"]))
        body = json.dumps(self.server.answer(sent["queries"])).encode()
        self.send_response(self.server.down or 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


@pytest.fixture
def yente(settings):
    server = StandIn()
    settings.WEBHOOK_EGRESS_ALLOW_CIDRS = ["127.0.0.0/8"]
    settings.SCREENING_URL = f"http://127.0.0.1:{server.server_port}"
    settings.SCREENING_DATASET, settings.SCREENING_KEY = "sanctions", "a-key"
    yield server
    server.shutdown()
    server.server_close()


def test_a_person_and_a_company_are_asked_about_in_its_terms(yente):
    assert Yente().look(PERSON).status == CheckStatus.PASSED
    assert Yente().look(COMPANY).status == CheckStatus.PASSED
    person, company = (next(iter(queries.values())) for _, _, queries in yente.asked)
    assert {(path, key) for path, key, _ in yente.asked} == {("/match/sanctions", "ApiKey a-key")}
    assert person == {
        "schema": "Person",
        "properties": {"name": ["Gorvan Listed"], "birthDate": ["1961-04-12"], "country": ["KP"]},
    }
    assert company["schema"] == "Company"
    assert company["properties"]["registrationNumber"] == ["09999991"]


def test_what_it_calls_a_match_needs_review_with_its_evidence(yente):
    yente.entries = [{**ENTRY, "id": "NK-2", "score": 0.5, "match": False}]
    assert Yente().look(PERSON).status == CheckStatus.PASSED
    yente.entries.append(ENTRY)
    found = Yente().look(PERSON)
    assert found.status == CheckStatus.NEEDS_REVIEW
    assert found.evidence == {
        "name": "Gorvan Listed, Gor Van",
        "born": "1961",
        "country": "KP",
        "entries": "NK-1 (0.93)",
        "list": "test_list",
        "dataset": "sanctions",
    }


def test_an_error_or_an_answer_of_another_form_passes_nobody(yente, settings):
    yente.entries = [{"id": "NK-1"}]
    with pytest.raises(ProviderDown, match="cannot be read"):
        Yente().look(PERSON)
    yente.down = 500
    with pytest.raises(ProviderDown, match="did not answer"):
        Yente().look(PERSON)
    deep = b"HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n" + b"[" * 200_000
    with receiving.listening(receiving.answering(deep)) as server:
        settings.SCREENING_URL = f"http://127.0.0.1:{server.port}"
        with pytest.raises(ProviderDown, match="cannot be read"):
            Yente().look(PERSON)
        with pytest.raises(RegisterDown, match="not JSON"):
            asking.get(settings.SCREENING_URL)
    settings.SCREENING_URL = ""
    with pytest.raises(ProviderDown, match="names no yente"):
        Yente().look(PERSON)
