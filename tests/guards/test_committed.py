"""Committed files contain no secret, machine name or internal address."""

import re
import shutil
import subprocess
from pathlib import Path

from tests.guards.tree import ROOT, files

# Each pattern is written so that it does not match itself.
FORBIDDEN = {
    "a private key": re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY[-]----"),
    "a key of a cloud": re.compile(r"\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{35}\b"),
    "a token of a forge": re.compile(r"\bgh[pousr]_\w{36}\b|\bglpat-[\w-]{20}\b"),
    "a token of a chat": re.compile(r"\bxox[abprs]-[\w-]{10,}"),
    "a secret of ours": re.compile(r"^(?:SECRET_KEY|VAULT_KEYS|KEY_PEPPER)=\S", re.MULTILINE),
    "a package index": re.compile(
        r"--(?:extra-)?index-url[ =]\S+:|https?://(?![\w.]+\.example/)[^\s\"']*/simp[l]e\b"
        r"|\bpypi\.(?:org|python)|\bfiles\.pythonhosted\b|artifactor[y]|\bnexu[s]\."
    ),
    "a path of one machine": re.compile(
        r"(?<![\w./])/(?:home/\w|Users/\w|root/|work/|workspac[e]|mnt/\w)"
    ),
    "an address inside a network": re.compile(r"https?://[\w.-]+\.(?:corp|interna[l]|intra|lan)\b"),
    "a mark of whose machine wrote it": re.compile(
        r"co-authored-b[y]|generated (?:by|with) (?:an? )?(?:ai|llm|assistan[t])", re.IGNORECASE
    ),
}
TEXT_BY_THIS_MANY = 8192


def tracked() -> list[Path]:
    """Return the files that git tracks, or without git, all that are not ignored."""
    git = shutil.which("git")
    if git and (ROOT / ".git").exists():
        words = [git, "-c", f"safe.directory={ROOT}", "ls-files", "-z"]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, check=False)
        if done.returncode == 0:
            names = done.stdout.decode().split("\0")
            return [ROOT / name for name in names if name and (ROOT / name).is_file()]
    return list(files())


def words_of(path: Path) -> str:
    """Return a file's text, or "" if it is binary."""
    data = path.read_bytes()
    return "" if b"\0" in data[:TEXT_BY_THIS_MANY] else data.decode(errors="replace")


def faults(text: str) -> list[str]:
    return [what for what, pattern in FORBIDDEN.items() if pattern.search(text)]


def test_what_is_committed():
    paths = tracked()
    assert len(paths) > 500
    found = {str(path.relative_to(ROOT)): faults(words_of(path)) for path in paths}
    assert {path: what for path, what in found.items() if what} == {}


def test_nothing_that_running_makes_is_committed():
    made = {"__pycache__", ".venv", "var", "node_modules", ".mypy_cache", ".ruff_cache"}
    assert [path for path in tracked() if made & set(path.relative_to(ROOT).parts)] == []


def test_nothing_committed_is_heavy():
    heavy = [path for path in tracked() if path.stat().st_size > 1_000_000]
    assert heavy == []
