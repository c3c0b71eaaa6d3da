"""Sample calls of an operation in curl, Python and JavaScript, ready to run.

Samples may contain the key's ID but never its secret, which comes from an environment variable, as
do the IDs from earlier responses. If a call is refused, the sample prints the error and fails.
"""

import json
import shlex
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.conf import settings

from api.operations import Operation
from api.reference.walkthroughs import needed_by

NOBODYS_KEY = "YOUR_KEY_ID"
# Environment variable for the secret.
VARIABLE = "API_SECRET"
_JSON = "application/json"
# The number of an order, if the environment names none.
_ORDER = "1001"
# Inserts a shell variable into a single-quoted string.
_IN_QUOTES = "'\"${}\"'"

_PYTHON = """\
{imports}
from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    {address},
    method="{method}",
    headers={{
{headers}
    }},{data}
)
try:
    with urlopen(request) as answer:
        print(json.load(answer))
except HTTPError as refusal:
    # `code` says what went wrong. Keep `request_id` in your logs.
    sys.exit(refusal.read().decode())"""
_JAVASCRIPT = """\
const answer = await fetch({address}, {{
  method: "{method}",
  headers: {{
{headers}
  }},{body}
}});
if (!answer.ok) {{
  // `code` says what went wrong. Keep `request_id` in your logs.
  console.error(await answer.text());
  process.exit(1);
}}
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
    """Return an operation's example as a curl command."""
    address = root(environment) + row.example_path
    shown = _named(address, row, "${}")
    words = ["curl --fail-with-body"]
    words[0] += f" {shlex.quote(address)}" if shown == address else f' "{shown}"'
    words += [] if row.method == "GET" else [f"-X {row.method}"]
    words.append(authorization(key_id))
    if row.example.body is not None:
        words.append(f"-H 'Content-Type: {_JSON}'")
        words.append(f'-H "Idempotency-Key: {_key_of(row)}${{ORDER_NUMBER:-{_ORDER}}}"')
        body = shlex.quote(json.dumps(row.example.body, indent=2))
        words.append(f"-d {_named(body, row, _IN_QUOTES)}")
    return " \\\n  ".join(words)


def _key_of(row: Operation) -> str:
    """Return the start of the sample's Idempotency-Key: an order's number follows it.

    A retry then has the same key, also after the program was started again.
    """
    return f"{row.name}-order-"


def authorization(key_id: str) -> str:
    """Return the Authorization header in double quotes, so that the shell inserts the secret."""
    return f'-H "Authorization: Bearer {key_id or NOBODYS_KEY}:${VARIABLE}"'


def root(environment: str) -> str:
    """Return the base URL of an environment's API."""
    return settings.BASE_URL.rstrip("/") + settings.API_ROOTS.get(environment, "")


def _python(row: Operation, key_id: str) -> str:
    headers = [f'"Authorization": "Bearer {key_id}:" + os.environ["{VARIABLE}"],']
    data, imports = "", ["json", "os", "sys"]
    if row.example.body is not None:
        number = f'os.environ.get("ORDER_NUMBER", "{_ORDER}")'
        headers += [
            f'"Content-Type": "{_JSON}",',
            f'"Idempotency-Key": "{_key_of(row)}" + {number},',
        ]
        data = f"\n    data=json.dumps(\n        {_literal(row.example.body, 8)}\n    ).encode(),"
    # Print the status when the response has no body.
    shown = _PYTHON.replace("json.load(answer)", "answer.status") if _is_empty(row) else _PYTHON
    if _is_empty(row):
        imports.remove("json")
    text = shown.format(
        imports="\n".join(f"import {name}" for name in imports),
        address=json.dumps(root("sandbox") + row.example_path),
        method=row.method,
        headers="\n".join(" " * 8 + one for one in headers),
        data=data,
    )
    return _joined(text, row, 'os.environ["{}"]')


def _javascript(row: Operation, key_id: str) -> str:
    headers = [f'"Authorization": `Bearer {key_id}:${{process.env.{VARIABLE}}}`,']
    body = ""
    if row.example.body is not None:
        number = f'(process.env.ORDER_NUMBER ?? "{_ORDER}")'
        headers += [
            f'"Content-Type": "{_JSON}",',
            f'"Idempotency-Key": "{_key_of(row)}" + {number},',
        ]
        written = json.dumps(row.example.body, indent=2).replace("\n", "\n  ")
        body = f"\n  body: JSON.stringify({written}),"
    shown = (
        _JAVASCRIPT.replace("await answer.json()", "answer.status")
        if _is_empty(row)
        else _JAVASCRIPT
    )
    text = shown.format(
        address=json.dumps(root("sandbox") + row.example_path),
        method=row.method,
        headers="\n".join(" " * 4 + one for one in headers),
        body=body,
    )
    return _joined(text, row, "process.env.{}")


def _named(text: str, row: Operation, form: str) -> str:
    """Replace IDs from earlier responses by variables."""
    for made, variable in needed_by(row).items():
        text = text.replace(made, form.format(variable.name))
    return text


def _joined(text: str, row: Operation, form: str) -> str:
    """Replace such IDs in Python and JavaScript, where strings are joined with `+`."""
    text = _named(text, row, f'" + {form} + "')
    return text.replace('"" + ', "").replace(' + ""', "")


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
