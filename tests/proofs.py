"""Proofs: tests with a target. Small in `make check`, full size in `make prove`.

    @proof("R3", "malformed input", small=200, full=100_000)
    def test_no_input_breaks_a_page(proven: Proven) -> None:
        broken = [page for page in garbage(proven.size) if page.status >= 500]
        figure = f"{proven.size:,} inputs, {len(broken)} of them failures"
        proven.reached(figure, met=not broken, wrong=broken)

The targets are in `ASKED`; a proof that fails or reports nothing gets a row that says so.
"""

import json
import os
from collections.abc import Callable, Generator, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import pytest

from benchmarks.report import Row

# The target that each proof must reach at full size.
ASKED = {
    "R1": "100 % of URLs answer another tenant 404, 0 rows changed",
    "R2": "100 % of page x role cells as the table says, 0 unlisted",
    "R3": ">= 100,000 inputs, 0 of them 5xx, 0 over 2 s",
    "R4": ">= 20,000 sequences, 0 divergences, every edge >= 100 times",
    "R5": ">= 500 kills, 0 lost, 0 duplicated, all recovered <= 60 s",
    "R6": "15 actions x 100 rounds of 32, exactly 1 effect each",
    "R7": "10 of 10 attacks found, >= 1,000 entries/s, 1 million verified <= 60 s",
    "R8": "100 % of POSTs leave an entry, failed ones too",
    "R9": "0 secrets outside the one response",
    "R10": "0 packets to a refused address",
    "R11": "100 % of URLs with every header, 0 unsafe-*, 0 inline",
    "R12": "0 payloads executed, 0 policy reports",
    "R13": "100 % of unsafe URLs answer 403",
    "R14": "all refused, median timing difference < 5 %",
    "R15": "100 % of sensitive actions ask again, 0 effect",
    "R16": "0 packs with one person twice",
    "R17": ">= 10,000 interleavings, 0 hand settings changed",
    "R18": "0 of 50 hostile files stored or served inline",
    "R19": "1,000 of 1,000 flipped bits found, 100 % of copies equal",
    "R20": "0 answers 2xx without a commit, 0 stuck after recovery",
    "R21": "at least once, in order, worker never held > 15 s",
    "R22": "0 errors, no lock > 2 s",
    "R23": "p95 < 300 ms, 0 of them 5xx, <= 12 queries a page",
    "R24": "0 violations, 0 hidden focus, 9 of 9 journeys twice",
    "R25": "CSS <= 40 kB, JS <= 15 kB, first load <= 200 kB",
    "R26": "0 untranslated strings, 0 overflow at +40 %",
    "R27": ">= 90 % of mutants killed",
    "R28": ">= 95 % of lines, 100 % of permission and state modules",
    "R29": "0 known holes, 0 high findings",
    "R30": "restored <= 15 min, verified clean, 0 packs lost",
    "R31": "12 of 12 executed once each, drained <= 30 s, no page but 503 with words",
    "R32": "pages and API answer as before, p99 at most 2x",
    "R33": ">= 2,000 sequences, 0 saved answers lost",
    "R34": "verify.sh, the checker and /verify/ give the expected verdict, 0 unnoticed",
    "R35": "0 cases judged twice by one person or by who ever belonged, in Python and in SQL",
    "R36": "3 of 3 generated clients build and make 10 calls",
    "live": ">= 5,000 instructions, 0 executed twice, 0 lost, ledger = statement",
    "hosts": "4 of 4 hosts cut off and back, a live key, 0 lost, 0 doubled",
    "screening": "imports < 2 minutes, recall >= 99 % and 95 %, false matches <= 1 % and 2 %",
}
_NAME = "proof"
Test = TypeVar("Test", bound=Callable[..., Any])


def is_full() -> bool:
    """Tell whether this is `make prove`."""
    return os.environ.get("PROVE") == "1"


def size(*, small: int, full: int) -> int:
    """Return the size for this run, for use in decorators such as Hypothesis's."""
    return full if is_full() else small


def proof(
    proof_id: str, what: str, *, small: int = 1, full: int = 1, asked: str = ""
) -> Callable[[Test], Test]:
    """Make a test a proof; `asked` states its own part of the target.

    A proof with a small size of 0 runs in `make prove` only.
    """
    assert proof_id in ASKED, f"{proof_id} is not one of the proofs."
    row = {"id": proof_id, "what": what, "asked": asked or ASKED[proof_id]}
    mark: Callable[[Test], Test] = getattr(pytest.mark, _NAME)(**row, small=small, full=full)
    return mark


class Proven:
    """The size for a proof, and the method for reporting its result."""

    def __init__(self, small: int, full: int) -> None:
        self.size = size(small=small, full=full)
        self.figure = ""
        self.met = False

    def reached(self, figure: str, *, met: bool, wrong: Iterable[object] = ()) -> None:
        """Report the result; if the target is missed, fail the test after saving the row.

        `wrong` lists the counted errors, to show in the failure.
        """
        self.figure, self.met = figure, met
        assert met, "\n".join([f"Reached: {figure}", *map(str, wrong)])


@pytest.fixture
def proven(request: pytest.FixtureRequest) -> Proven:
    """The proof's size and result."""
    mark = request.node.get_closest_marker(_NAME)
    assert mark is not None, "Only a test with @proof(...) may ask for `proven`."
    request.node.proven = Proven(mark.kwargs["small"], mark.kwargs["full"])
    found: Proven = request.node.proven
    return found


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"{_NAME}: reaches a figure; full size in `make prove`")
    config.pluginmanager.register(_Rows(), "proof-rows")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Select the tests of this run."""
    kept: list[pytest.Item] = []
    others: list[pytest.Item] = []
    for item in items:
        (kept if _belongs_here(item.get_closest_marker(_NAME)) else others).append(item)
    config.hook.pytest_deselected(items=others)
    items[:] = kept


def _belongs_here(mark: pytest.Mark | None) -> bool:
    """Tell whether a test with this mark is part of this run."""
    if wanted := os.environ.get("PROOFS_ONLY", "").split():
        return mark is not None and mark.kwargs["id"] in wanted
    return is_full() or mark is None or mark.kwargs["small"] > 0


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: "pytest.CallInfo[None]"
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the row to the report, which also travels from the workers of xdist."""
    report = yield
    mark = item.get_closest_marker(_NAME)
    if mark is None or (call.when != "call" and report.passed):
        return report
    told = getattr(item, "proven", None)
    met = report.passed and told is not None and told.met
    if told is not None and told.figure:
        figure = told.figure
    else:
        figure = "it told no figure" if report.passed else f"failed: {_reason(call)}"
    row = Row(mark.kwargs["id"], mark.kwargs["what"], figure, mark.kwargs["asked"], met)
    report.user_properties.append((_NAME, asdict(row)))
    return report


def _reason(call: "pytest.CallInfo[None]") -> str:
    if call.excinfo is None:
        return "not run"
    return next(iter(str(call.excinfo.value).splitlines()), call.excinfo.typename)[:200]


class _Rows:
    """Collects the rows of a run, and saves them for `make prove`."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, row in report.user_properties:
            if name == _NAME and isinstance(row, dict):
                self.rows.append(row)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if (to := os.environ.get("PROOFS_TO")) and not hasattr(session.config, "workerinput"):
            Path(to).write_text(json.dumps(self.rows))
