"""Number clauses, and replace cross-references with clause numbers.

Numbers are part of the text, so that PDF, page and screen reader agree. A template writes `<ref
to="liability.cap"/>`, and the reader sees “clause 9.2”.
"""

from collections.abc import Iterator
from string import ascii_lowercase
from xml.etree.ElementTree import Element

CLAUSE = "data-clause"
ROMANS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")


class NumberingError(Exception):
    """Raised when two clauses share an id, or a cross-reference has no target."""


def number(root: Element) -> None:
    """Number sections, clauses and list items in place, then resolve cross-references."""
    numbers: dict[str, str] = {}
    for position, section in enumerate(_with_clause(root.iter("section")), 1):
        _name(section, str(position), numbers)
        _mark(section.find("h2"), f"{position}.")
        for place, clause in enumerate(_with_clause(list(section)), 1):
            _name(clause, f"{position}.{place}", numbers)
            _mark(clause, f"{position}.{place}")
    for items in root.iter("ol"):
        _letter(items, ascii_lowercase)
    for items in root.findall(".//ol//ol"):
        _letter(items, ROMANS)
    for pointer in list(root.iter("ref")):
        _resolve(pointer, numbers)


def _with_clause(elements: "Iterator[Element] | list[Element]") -> Iterator[Element]:
    return (element for element in elements if element.get(CLAUSE))


def _name(element: Element, text: str, numbers: dict[str, str]) -> None:
    key = element.get(CLAUSE, "")
    if key in numbers:
        raise NumberingError(f"Two clauses are called {key}.")
    numbers[key] = text
    element.set("id", key)


def _letter(items: Element, letters: "str | tuple[str, ...]") -> None:
    for item, letter in zip(items.findall("li"), letters, strict=False):
        if (first := item.find("span[@class='number']")) is not None:
            first.text = f"({letter}) "
        else:
            _mark(item, f"({letter})")


def _mark(element: Element | None, text: str) -> None:
    if element is None:
        raise NumberingError("A clause has no heading.")
    mark = Element("span", {"class": "number"})
    mark.text = f"{text} "
    mark.tail = (element.text or "").lstrip()
    element.text = None
    element.insert(0, mark)


def _resolve(pointer: Element, numbers: dict[str, str]) -> None:
    to = pointer.attrib.pop("to", "")
    if to not in numbers:
        raise NumberingError(
            f"A pointer leads to {to or 'nothing'}, which is not in this document."
        )
    pointer.tag = "a"
    pointer.set("href", f"#{to}")
    pointer.text = f"clause\N{NO-BREAK SPACE}{numbers[to]}"


def clause_ids(root: Element) -> list[str]:
    """Return the ids of all clauses, in order."""
    return [element.attrib[CLAUSE] for element in _with_clause(root.iter())]
