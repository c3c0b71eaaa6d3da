"""Sample calls of an operation in curl, Python and JavaScript, ready to run.

They can contain the ID of a key but never its secret, which is read from the environment.
"""

import json
import shlex
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.conf import settings

from api.operations import Operation

NOBODYS_KEY = "YOUR_KEY_ID"
# Environment variable with the secret.
VARIABLE = "API_SECRET"
_JSON = "application/json"

_PYTHON = """\
{imports}
from urllib.request import Request, urlopen

request = Request(
    {address},
    method="{method}",
    headers={{
{headers}
    }},{data}
)
with urlopen(request) as answer:
    print(json.load(answer))"""
_JAVASCRIPT = """\
const answer = await fetch({address}, {{
  method: "{method}",
  headers: {{
{headers}
  }},{body}
}});
console.log(await answer.json());"""


@dataclass(frozen=True)
class SampleCall:
    """A sample call in one language."""

    language: str
    text: str


def samples(row: Operation, key_id: str = "") -> list[SampleCall]:
    """Return the sandbox example of an operation in every language."""
    return [
        SampleCall("curl", curl(row, key_id)),
        SampleCall("Python", _python(row, key_id or NOBODYS_KEY)),
        SampleCall("JavaScript", _javascript(row, key_id or NOBODYS_KEY)),
    ]


def curl(row: Operation, key_id: str = "", environment: str = "sandbox") -> str:
    """Return the example of an operation as a curl command."""
    words = [f"curl {shlex.quote(root(environment) + row.example_path)}"]
    words += [] if row.method == "GET" else [f"-X {row.method}"]
    words.append(authorization(key_id))
    if row.example.body is not None:
        words.append(f"-H 'Content-Type: {_JSON}'")
        words.append('-H "Idempotency-Key: $(date +%s)-$RANDOM"')
        words.append(f"-d {shlex.quote(json.dumps(row.example.body, indent=2))}")
    return " \\\n  ".join(words)


def authorization(key_id: str) -> str:
    """Return the Authorization header in double quotes, so that the shell inserts the secret."""
    return f'-H "Authorization: Bearer {key_id or NOBODYS_KEY}:${VARIABLE}"'


def root(environment: str) -> str:
    """Return the base URL of an environment's API."""
    return settings.BASE_URL.rstrip("/") + settings.API_ROOTS.get(environment, "")


def _python(row: Operation, key_id: str) -> str:
    headers = [f'"Authorization": "Bearer {key_id}:" + os.environ["{VARIABLE}"],']
    data, imports = "", ["json", "os"]
    if row.example.body is not None:
        imports.append("uuid")
        headers += [f'"Content-Type": "{_JSON}",', '"Idempotency-Key": str(uuid.uuid4()),']
        data = f"\n    data=json.dumps(\n        {_literal(row.example.body, 8)}\n    ).encode(),"
    # Print the status when the response has no body.
    shown = _PYTHON.replace("json.load(answer)", "answer.status") if _is_empty(row) else _PYTHON
    if _is_empty(row):
        imports.remove("json")
    return shown.format(
        imports="\n".join(f"import {name}" for name in imports),
        address=json.dumps(root("sandbox") + row.example_path),
        method=row.method,
        headers="\n".join(" " * 8 + one for one in headers),
        data=data,
    )


def _javascript(row: Operation, key_id: str) -> str:
    headers = [f'"Authorization": `Bearer {key_id}:${{process.env.{VARIABLE}}}`,']
    body = ""
    if row.example.body is not None:
        headers += [f'"Content-Type": "{_JSON}",', '"Idempotency-Key": crypto.randomUUID(),']
        written = json.dumps(row.example.body, indent=2).replace("\n", "\n  ")
        body = f"\n  body: JSON.stringify({written}),"
    shown = (
        _JAVASCRIPT.replace("await answer.json()", "answer.status")
        if _is_empty(row)
        else _JAVASCRIPT
    )
    return shown.format(
        address=json.dumps(root("sandbox") + row.example_path),
        method=row.method,
        headers="\n".join(" " * 4 + one for one in headers),
        body=body,
    )


def _is_empty(row: Operation) -> bool:
    return row.status == HTTPStatus.NO_CONTENT


def _literal(value: Any, indent: int) -> str:
    """Return a JSON value as a Python literal."""
    inside, end = " " * (indent + 4), " " * indent
    if isinstance(value, dict) and value:
        lines = [f"{inside}{json.dumps(n)}: {_literal(v, indent + 4)},\n" for n, v in value.items()]
        return "{\n" + "".join(lines) + end + "}"
    if isinstance(value, list) and value:
        return "[\n" + "".join(f"{inside}{_literal(v, indent + 4)},\n" for v in value) + end + "]"
    return json.dumps(value) if isinstance(value, str) else repr(value)
