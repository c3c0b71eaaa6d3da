"""Companies House, GLEIF and VIES on loopback, in their formats, with invented companies."""

import json
import threading
from base64 import b64encode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.waiting import POLL

KEY = "a-key-of-companies-house"
LEI = "9845001B2C3D4E5F6A75"


def profile(number: str, **changes: Any) -> dict[str, Any]:
    return {
        "company_name": "KETTLE & KIOSK LIMITED",
        "company_number": number,
        "company_status": "active",
        "type": "ltd",
        "jurisdiction": "england-wales",
        "date_of_creation": "2016-05-09",
        "etag": "0f3c2c4a",
        "registered_office_address": {
            "premises": "7",
            "address_line_1": "Invented Row",
            "locality": "Leeds",
            "postal_code": "LS1 0XX",
            "country": "England",
        },
        "links": {"self": f"/company/{number}"},
        "can_file": True,
    } | changes


def lei_record(lei: str = LEI, registration: Any = None, **entity: Any) -> dict[str, Any]:
    said = {
        "legalName": {"name": "Muster Handels Gesellschaft mit beschränkter Haftung"},
        "otherNames": [],
        "legalAddress": {
            "addressLines": ["Musterweg 3", "Hinterhaus"],
            "city": "Köln",
            "region": "DE-NW",
            "country": "DE",
            "postalCode": "50667",
        },
        "registeredAt": {"id": "RA000242"},
        "registeredAs": "HRB 990011",
        "jurisdiction": "DE",
        "legalForm": {"id": "2HBR", "other": None},
        "status": "ACTIVE",
        "creationDate": "2012-02-01T00:00:00Z",
    }
    state = {"status": "ISSUED", "corroborationLevel": "FULLY_CORROBORATED"}
    attributes = {
        "lei": lei, "entity": said | entity, "registration": state | (registration or {})
    }  # fmt: skip
    return {"type": "lei-records", "id": lei, "attributes": attributes}


def officer(name: str, role: str = "director", **changes: Any) -> dict[str, Any]:
    born = {"month": 5, "year": 1984}
    said = {"name": name, "officer_role": role, "date_of_birth": born, "appointed_on": "2016-05-09"}
    return said | changes


def controller(name: str, band: str = "50-to-75", **changes: Any) -> dict[str, Any]:
    return {
        "name": f"Mr {name}",
        "kind": "individual-person-with-significant-control",
        "date_of_birth": {"month": 5, "year": 1984},
        "natures_of_control": [f"ownership-of-shares-{band}-percent"],
        "notified_on": "2016-05-09",
    } | changes


def items(*found: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"items": list(found), "total_results": len(found), "start_index": 0} | changes


class StandIn(ThreadingHTTPServer):
    """All three registers. `down` gives that status.

    `profiles` and `leis` are the companies that they know, and `people` and `parents` what they
    list of each, by the end of its path.
    """

    def __init__(self) -> None:
        self.profiles: dict[str, Any] = {}
        self.people: dict[str, Any] = {}
        self.parents: dict[str, Any] = {}
        self.leis: list[dict[str, Any]] = []
        self.vat: dict[str, Any] = {}
        self.asked: list[str] = []
        self.down = 0
        super().__init__(("127.0.0.1", 0), _Handler)
        threading.Thread(target=self.serve_forever, args=(POLL,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: StandIn

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        parts = urlsplit(self.path)
        if parts.path.startswith("/company/"):
            expected = f"Basic {b64encode(f'{KEY}:'.encode()).decode()}"
            path = parts.path.removeprefix("/company/")
            known = (self.server.people if "/" in path else self.server.profiles).get(path)
            if self.headers["Authorization"] != expected:
                self._answer(401, {"error": "Invalid Authorization"})
            elif known is None:
                self._answer(404, {"errors": [{"error": "company-profile-not-found"}]})
            else:
                self._answer(200, known)
            return
        if parts.path.startswith("/lei-records/"):
            parent = self.server.parents.get(parts.path.removeprefix("/lei-records/"))
            self._answer(200 if parent else 404, {"data": parent} if parent else {"errors": []})
            return
        assert parts.path == "/lei-records"
        filters = dict(parse_qsl(parts.query))
        found = [one for one in self.server.leis if _fits(one, filters)]
        self._answer(200, {"meta": {"pagination": {"total": len(found)}}, "data": found})

    def do_POST(self) -> None:
        assert self.path == "/check-vat-number"
        said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        number = said["countryCode"] + said["vatNumber"]
        self.server.asked.append(number)
        plain = {**said, "requestDate": "2026-11-26T10:00:00Z", "valid": False}
        self._answer(200, self.server.vat.get(number, plain | {"name": "---", "address": "---"}))

    def _answer(self, status: int, document: Any) -> None:
        body = json.dumps(document).encode()
        self.send_response(self.server.down or status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Do not log."""


def _fits(record: dict[str, Any], filters: dict[str, str]) -> bool:
    entity = record["attributes"]["entity"]
    values = {
        "filter[lei]": record["id"],
        "filter[entity.registeredAs]": entity["registeredAs"],
        "filter[entity.legalName]": entity["legalName"]["name"],
        "filter[entity.legalAddress.country]": entity["legalAddress"]["country"],
        "page[size]": "5",
    }
    return all(values[name] == value for name, value in filters.items())
