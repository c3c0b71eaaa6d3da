"""`make check` runs every check and names those that fail."""

import re
import sys

import pytest

from console.launch.check import PRODUCTION, CheckStep, failed, steps


def test_what_fails_is_named_and_the_rest_still_runs(capsys: pytest.CaptureFixture[str]) -> None:
    said = "import sys; print('line 7 is too long'); sys.exit(1)"
    todo = [
        CheckStep("good", [sys.executable, "-c", ""]),
        CheckStep("bad", [sys.executable, "-c", said]),
        CheckStep("also good", [sys.executable, "-c", "print('not shown')"]),
        CheckStep("far", [sys.executable, "-c", "import sys; sys.exit(77)"]),
    ]
    assert failed(todo) == ["bad"]
    shown = capsys.readouterr().out
    assert "line 7 is too long" in shown
    assert "not shown" not in shown
    assert re.search(r"^far +not asked ", shown, re.MULTILINE)


@pytest.mark.check
def test_settings_of_the_demo_world_fail_the_deployment_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("DJANGO_ALLOW_ASYNC_UNSAFE")
    deployment = next(step for step in steps() if step.name == "deployment")
    unsafe = CheckStep("unsafe", deployment.command, {**PRODUCTION, "DEMO": "1"})
    assert failed([deployment]) == []
    assert failed([unsafe]) == ["unsafe"]
