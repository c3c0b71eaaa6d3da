"""Reading large XML files one element at a time, within limits.

Document types and entities are refused.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from onboarding.screening.formats.parties import UnusableList

_AT_ONCE = 64 * 1024
# Bytes of one tag or comment, and characters of one element. Expat scans an incomplete tag again
# with every piece, so a tag of 50 MB would take minutes.
_LONGEST_TAG = 512 * 1024
_LARGEST_ELEMENT = 8 * 1024 * 1024
_MOST_OPEN = 100


def elements(path: Path, root: str, *tags: str) -> Iterator[Element]:
    """Yield each element with one of these tags, with its content, or refuse the file.

    Namespaces are dropped. Nothing else is kept in memory.
    """
    collector, given = _Collector(root, tags), 0
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = collector.start
    parser.EndElementHandler = collector.end
    parser.CharacterDataHandler = collector.data
    # No handler runs for entities, because they are declared in a document type only.
    parser.StartDoctypeDeclHandler = _refuse_document_type
    try:
        with path.open("rb") as file:
            while piece := file.read(_AT_ONCE):
                parser.Parse(piece, False)  # noqa: FBT003  # positional in expat
                given += len(piece)
                if given - parser.CurrentByteIndex > _LONGEST_TAG:
                    raise UnusableList("The file contains a tag or comment of over 512 kB.")
                yield from collector.taken()
        parser.Parse(b"", True)  # noqa: FBT003
    except expat.ExpatError as error:
        raise UnusableList(f"The file is not well-formed XML: {error}.") from error
    yield from collector.taken()


def text(element: Element, path: str) -> str:
    """Return the text of the first element at a path, or ""."""
    return (element.findtext(path) or "").strip()


def texts(element: Element, tag: str) -> list[str]:
    """Return the text of every element with this tag, at any depth."""
    return [(one.text or "").strip() for one in element.iter(tag)]


def _refuse_document_type(*_: Any) -> NoReturn:
    raise UnusableList("The file declares a document type, which we do not read.")


class _Collector:
    """Builds the wanted elements, and drops everything around them."""

    def __init__(self, root: str, tags: tuple[str, ...]) -> None:
        self._root, self._tags = root, tags
        self._builder: TreeBuilder | None = None
        self._depth = self._size = self._open = 0
        self._found: list[Element] = []
        self._is_in_root = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        self._open += 1
        if self._open > _MOST_OPEN:
            raise UnusableList("The file nests over 100 elements.")
        if not self._is_in_root:
            if tag != self._root:
                raise UnusableList(f"The file begins with <{tag}> instead of <{self._root}>.")
            self._is_in_root = True
        elif self._builder is not None:
            self._depth += 1
            self._add_tag(self._builder, tag, attributes)
        elif tag in self._tags:
            self._builder, self._depth, self._size = TreeBuilder(), 1, 0
            self._add_tag(self._builder, tag, attributes)

    def end(self, name: str) -> None:
        self._open -= 1
        if self._builder is None:
            return
        self._builder.end(name.rpartition(" ")[2])
        self._depth -= 1
        if not self._depth:
            self._found.append(self._builder.close())
            self._builder = None

    def data(self, text: str) -> None:
        if self._builder is not None:
            self._count(len(text))
            self._builder.data(text)

    def _add_tag(self, builder: TreeBuilder, tag: str, attributes: dict[str, str]) -> None:
        self._count(sum(map(len, (tag, *attributes, *attributes.values()))))
        builder.start(tag, attributes)

    def _count(self, size: int) -> None:
        self._size += size
        if self._size > _LARGEST_ELEMENT:
            raise UnusableList("The file contains an element of over 8 MB.")

    def taken(self) -> list[Element]:
        found, self._found = self._found, []
        return found
