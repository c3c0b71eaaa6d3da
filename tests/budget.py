"""The cost of a test run: slowest tests, renders and CPU; too many renders fail the run.

Rendering is the most expensive thing that tests do. A test that is not about rendering uses a
prepared pack; see `tests/prepared.py`.
"""

import os
import resource
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agreements.rendering.render_process import RenderProcess

# The most documents that `make test` and `make check` may render. Only ever lower them.
RENDERS = 150
RENDERS_OF_ALL = 400
_SHOWN = 20
_SLOW_SECONDS = 1.0
_CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


class Budget:
    """Counts in every process of a run; the controller adds up and reports."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.renders = 0
        self.most = RENDERS if config.option.markexpr else RENDERS_OF_ALL
        self.seconds: dict[str, float] = {}
        self.is_worker = hasattr(config, "workerinput")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.is_worker:
            output: dict[str, Any] = vars(self.config)["workeroutput"]
            output["renders"] = self.renders
        elif self.renders > self.most:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_testnodedown(self, node: Any) -> None:
        self.add(getattr(node, "workeroutput", {}))

    def add(self, told: Mapping[str, Any]) -> None:
        """Add a worker's counts."""
        self.renders += int(told.get("renders", 0))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.section("budget")
        slowest = sorted(self.seconds.items(), key=lambda one: -one[1])
        for name, seconds in slowest[:_SHOWN]:
            if seconds < _SLOW_SECONDS:
                break
            terminalreporter.line(f"{seconds:7.1f} s  {name}")
        renders = f"{self.renders} of {self.most} renders"
        terminalreporter.line(f"{renders}, {_cpu_seconds():.0f} s of CPU")
        if self.renders > self.most:
            terminalreporter.line("Too many renders: take a prepared pack, see tests/prepared.py.")


def pytest_configure(config: pytest.Config) -> None:
    budget = Budget(config)
    config.pluginmanager.register(budget, "budget")
    ask = RenderProcess.ask

    def counted(self: RenderProcess, asked: Mapping[str, Any]) -> dict[str, Any]:
        budget.renders += 1
        return ask(self, asked)

    RenderProcess.ask = counted  # type: ignore[method-assign]


def _cpu_seconds() -> float:
    """Return the CPU time of this process and its descendants, with the database server."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = resource.getrusage(resource.RUSAGE_SELF)
    return sum(use.ru_utime + use.ru_stime for use in (own, ended)) + _running_children()


def _running_children() -> float:
    ticks, parents = {}, {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                with Path(entry.path, "stat").open() as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended meanwhile
            parents[int(entry.name)] = int(fields[1])
            ticks[int(entry.name)] = sum(map(int, fields[11:15]))

    def is_ours(pid: int) -> bool:
        while pid > 1:
            pid = parents.get(pid, 0)
            if pid == os.getpid():
                return True
        return False

    return sum(ticks[pid] for pid in ticks if is_ours(pid)) / _CLOCK_TICKS
