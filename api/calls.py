"""What is known about the call that the API is answering."""

from dataclasses import dataclass, field

from django.http import HttpRequest

from api.operations import Operation
from api.problems import ApiProblem
from apikeys.models import ApiKey


@dataclass
class ApiCall:
    """A call so far, for the request log: each part is empty until it is known.

    Authentication sets `key` once it is proved, even if the call is refused later. The view sets
    `ip`, `operation`, `version` and `object_id`, and the exception handler what a refusal says.
    """

    ip: str = ""
    key: ApiKey | None = None
    operation: Operation | None = None
    version: str = ""
    object_id: str = ""
    code: str = ""
    reason: str = ""
    # JSON pointers and codes of its mistakes.
    faults: list[tuple[str, str]] = field(default_factory=list)

    def refuse(self, problem: ApiProblem) -> None:
        """Note why the call is refused."""
        self.code, self.reason = problem.code.name, problem.members.get("reason") or ""
        self.faults = [(fault.pointer, fault.code) for fault in problem.errors]


class ApiRequest(HttpRequest):
    """A request below the API's roots. The middleware adds `api_call`."""

    api_call: ApiCall
