"""A chroot of this machine's files, with the checkout and /etc where a test wants them.

In a chroot even root cannot create user namespaces, as in many containers.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from console.launch.setup import ROOT

_ENTER = """
set -eu
root=$1 etc=$2 checkout=$3 python=$4; shift 4
mount --rbind / "$root"
mount --bind "$etc" "$root/etc"
mount -t tmpfs -o mode=755 none "$root/opt"
mkdir -p "$root/$checkout"
mount --bind . "$root/$checkout"
case "$python" in "$HOME"/*)  # where others than root may not go
    mount -t tmpfs -o mode=755 none "$root/$HOME"
    mkdir -p "$root/$python"
    mount --bind "$python" "$root/$python"
esac
exec chroot "$root" env -i PATH="$PATH" "$@"
"""


def _may_mount() -> bool:
    mounting = ["unshare", "--mount", "true"]
    return os.geteuid() == 0 and subprocess.run(mounting, check=False).returncode == 0


needs_mounts = pytest.mark.skipif(not _may_mount(), reason="only root may mount, where anybody may")


def run(
    folder: Path, *words: str, checkout: str, etc: Path = Path("/etc")
) -> "subprocess.CompletedProcess[str]":
    """Run a program as root in the chroot, with the checkout at a path below /opt."""
    root = folder / "root"
    root.mkdir(exist_ok=True)
    there = (str(root), str(etc), checkout, sys.base_prefix)
    return subprocess.run(
        ["unshare", "--mount", "sh", "-c", _ENTER, "sh", *there, *words],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
