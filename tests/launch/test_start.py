"""Process start: no sealing libraries in the web process, shared bytecode, waiting for the port."""

import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from console.launch import run, setup
from tests.services import free_port

LOADED = "import sys, console.wsgi; print(*sorted({name.split('.')[0] for name in sys.modules}))"


@pytest.mark.check
def test_a_web_process_starts_without_what_seals():
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert {"django", "agreements"} <= loaded
    assert not {"pyhanko", "aiohttp"} & loaded


@pytest.mark.check
def test_what_one_process_compiles_another_reads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """This also works where PYTHONDONTWRITEBYTECODE is set."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    monkeypatch.setattr(setup, "BYTECODE", tmp_path)

    setup.keep_bytecode()
    where = "import sys, console.launch.errors as m; print(m.__cached__)"
    done = subprocess.run(
        [sys.executable, "-c", where], capture_output=True, text=True, check=True, env=os.environ
    )

    kept = Path(done.stdout.strip())
    assert kept.is_relative_to(tmp_path)
    assert kept.exists()


def test_a_port_is_waited_for_that_a_killed_server_still_holds():
    held = socket.create_server(("127.0.0.1", free_port()))
    port = held.getsockname()[1]
    release = threading.Timer(0.3, held.close)
    release.start()
    try:
        assert run._free_port(str(port)) == port
    finally:
        release.join()
