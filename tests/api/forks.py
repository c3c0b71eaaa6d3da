"""The process whose children post and are killed at a line: see tests/api/killed.py."""

import json
import os
import subprocess
import sys
from typing import Any

from django.db import connection

from tests.api.calling import environ
from tests.api.paying import PAYOUTS, body_of
from tests.guards.tree import ROOT
from tests.waiting import PATIENCE


class Forks:
    """Posts each order in a child process of its own."""

    def __init__(self) -> None:
        here = connection.settings_dict
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.api.killed"],
            cwd=ROOT,
            env=os.environ | {"KILLED_IN": here["NAME"]},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def post(
        self,
        plain: str,
        key: str,
        line: int,
        given: dict[str, Any] | None = None,
        path: str = PAYOUTS,
    ) -> dict[str, Any]:
        """Post (a payout by default), and kill the child at this line of our code; 0 kills nothing.

        `said` in the result is the number of lines run, the status, and the id of the new object.
        """
        body = json.dumps(body_of() if given is None else given)
        sent = environ(plain, body.encode()) | {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": path,
            "REMOTE_ADDR": "10.9.9.9",
            "CONTENT_TYPE": "application/json",
            "HTTP_IDEMPOTENCY_KEY": key,
        }
        order = {"environ": sent, "body": body, "line": line}
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def close(self) -> None:
        self.process.communicate(timeout=PATIENCE)
