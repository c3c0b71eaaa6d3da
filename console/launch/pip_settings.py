"""The machine's pip settings, and their uv equivalents. Uses only the standard library."""

import ast
import subprocess
from pathlib import Path


def read(python: Path) -> dict[str, str]:
    """Return pip's settings on this machine, from files and variables; variables win."""
    said = subprocess.run(
        [python, "-m", "pip", "config", "list"],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    lines = (line.partition("=") for line in said.stdout.splitlines())
    found = [(name.rpartition("."), value) for name, _, value in lines if value]
    order = {"global": 0, "install": 1, ":env:": 2}
    found = [each for each in found if each[0][0] in order]
    found.sort(key=lambda each: order[each[0][0]])
    return {name: str(ast.literal_eval(value)) for (_, _, name), value in found}


def as_uv_has_it(settings: dict[str, str]) -> tuple[list[str], dict[str, str]]:
    """Translate pip's settings to uv's arguments and environment variables."""
    arguments = ["--index-strategy", "unsafe-best-match"]  # as pip does; the hashes protect us
    for name, argument in (
        ("index-url", "--index-url"),
        ("extra-index-url", "--extra-index-url"),
        ("find-links", "--find-links"),
        ("trusted-host", "--allow-insecure-host"),
    ):
        for value in settings.get(name, "").split():
            arguments += [argument, value]
    if settings.get("no-index", "").lower() in ("1", "true", "yes", "on"):
        arguments.append("--no-index")
    variables = (
        {"UV_SYSTEM_CERTS": "1"} if Path("/etc/ssl/certs/ca-certificates.crt").exists() else {}
    )
    for name, names in (
        ("cert", ["SSL_CERT_FILE"]),
        ("client-cert", ["SSL_CLIENT_CERT"]),
        ("timeout", ["UV_HTTP_TIMEOUT"]),
        ("default-timeout", ["UV_HTTP_TIMEOUT"]),
        ("proxy", ["HTTP_PROXY", "HTTPS_PROXY"]),
    ):
        if name in settings:
            variables.update(dict.fromkeys(names, settings[name]))
    return arguments, variables
