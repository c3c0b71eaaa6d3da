"""Requests that stand in a line of their own, because what they do takes long: by package."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Queue:
    """Requests of one kind: how many run and wait at once, and what the next one is told.

    Both are of a machine, whose web processes share one line.

    `largest` is the largest body that one may have, in bytes; `retry_after` is in seconds.
    """

    method: str
    path: str
    at_once: int
    waiting: int
    largest: int
    heading: str
    words: str
    retry_after: int

    def takes(self, method: str, path: str) -> bool:
        return path == self.path and method == self.method


_declared: list[Queue] = []


def declare(queue: Queue) -> None:
    """Give these requests threads of their own. Called from AppConfig.ready(), nowhere else."""
    _declared.append(queue)


def largest(method: str, path: str, otherwise: int) -> int:
    """Return how many bytes the body of a request may have; `otherwise` where no queue takes it."""
    return next((one.largest for one in _declared if one.takes(method, path)), otherwise)


def declared() -> tuple[Queue, ...]:
    return tuple(_declared)
