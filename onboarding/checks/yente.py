"""Screening by a yente service, OpenSanctions' own, instead of the imported lists.

https://www.opensanctions.org/docs/api/matching/
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from django.conf import settings

from console.core import outbound
from onboarding.checks.providers import CheckResult, Inquiry, ProviderDown
from onboarding.lifecycle import CheckStatus

MOST_BYTES = 4 * 1024 * 1024
_QUERY = "party"
# The properties of an entry that are shown as evidence, by our name of them.
_SHOWN = {"name": ("name",), "born": ("birthDate",), "country": ("nationality", "country")}


class Yente:
    """Asks `POST /match/{dataset}`. The service's own threshold decides what is a match."""

    name = "yente"
    simulated = False

    def look(self, inquiry: Inquiry) -> CheckResult:
        matches = [one for one in _ask(inquiry) if one["match"]]
        dataset = {"dataset": settings.SCREENING_DATASET}
        if not matches:
            return CheckResult(CheckStatus.PASSED, "No entry matches.", dataset)
        says = "Possible match: the name resembles an entry of a list. Compare the other details."
        return CheckResult(CheckStatus.NEEDS_REVIEW, says, _evidence(matches) | dataset)


def _ask(inquiry: Inquiry) -> list[dict[str, Any]]:
    """Return the scored entries, or raise ProviderDown unless the answer is complete."""
    if not settings.SCREENING_URL:
        raise ProviderDown("SCREENING_URL names no yente service.")
    key = settings.SCREENING_KEY
    headers = {"Content-Type": "application/json"} | (
        {"Authorization": f"ApiKey {key}"} if key else {}
    )
    url = f"{settings.SCREENING_URL}/match/{quote(settings.SCREENING_DATASET, safe='')}"
    body = json.dumps({"queries": {_QUERY: _example(inquiry)}}).encode()
    answer = outbound.post(url, body, headers, most=MOST_BYTES)
    if not answer.succeeded:
        raise ProviderDown("The screening service did not answer.")
    try:
        return list(_scored(json.loads(answer.body)))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ProviderDown("The answer of the screening service cannot be read.") from error


def _example(inquiry: Inquiry) -> dict[str, Any]:
    """Return the party in yente's terms. Only some organisations have a number here."""
    if inquiry.is_person:
        given = {"name": inquiry.name, "birthDate": inquiry.born, "country": inquiry.country}
        return {"schema": "Person", "properties": _lists(given)}
    given = {"name": inquiry.name, "jurisdiction": inquiry.country.lower()}
    if inquiry.number:
        given["registrationNumber"] = inquiry.number
    return {"schema": "Company" if inquiry.number else "Organization", "properties": _lists(given)}


def _lists(given: Mapping[str, str]) -> dict[str, list[str]]:
    return {key: [value] for key, value in given.items() if value}


def _scored(document: Any) -> Iterable[dict[str, Any]]:
    response = document["responses"][_QUERY]
    if response.get("status", 200) != 200:
        raise ValueError("The query failed.")
    for one in response["results"]:
        yield {
            "id": str(one["id"]),
            "score": float(one["score"]),
            "match": one["match"] is True,
            "datasets": [str(name) for name in one["datasets"]],
            "topics": [str(topic) for topic in one["properties"].get("topics", ())],
            "shown": {name: _text(one["properties"], keys) for name, keys in _SHOWN.items()},
        }


def _text(properties: Mapping[str, Any], keys: Iterable[str]) -> str:
    """Return the values of the first property that has any."""
    values: list[Any] = next((properties[key] for key in keys if properties.get(key)), [])
    return ", ".join(str(value) for value in values[:5])


def _evidence(matches: list[dict[str, Any]]) -> dict[str, str]:
    best = max(matches, key=lambda one: one["score"])
    shown = {name: text for name, text in best["shown"].items() if text}
    if "country" in shown:
        shown["country"] = shown["country"].upper()
    topics = {topic for one in matches for topic in one["topics"]}
    if topics:
        shown["topics"] = ", ".join(sorted(topics))
    entries = "; ".join(f"{one['id']} ({one['score']:.2f})" for one in matches)
    return shown | {"entries": entries, "list": ", ".join(best["datasets"])}
