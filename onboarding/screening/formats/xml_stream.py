"""Reading large XML files one element at a time. Document types and entities are refused."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from onboarding.screening.formats.parties import UnusableList

_AT_ONCE = 64 * 1024


def elements(path: Path, root: str, *tags: str) -> Iterator[Element]:
    """Yield each element with one of these tags, with its content, or refuse the file.

    Namespaces are dropped. Nothing else is kept in memory.
    """
    collector = _Collector(root, tags)
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
        self._depth = 0
        self._found: list[Element] = []
        self._is_in_root = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        if not self._is_in_root:
            if tag != self._root:
                raise UnusableList(f"The file begins with <{tag}> instead of <{self._root}>.")
            self._is_in_root = True
        elif self._builder is not None:
            self._depth += 1
            self._builder.start(tag, attributes)
        elif tag in self._tags:
            self._builder, self._depth = TreeBuilder(), 1
            self._builder.start(tag, attributes)

    def end(self, name: str) -> None:
        if self._builder is None:
            return
        self._builder.end(name.rpartition(" ")[2])
        self._depth -= 1
        if not self._depth:
            self._found.append(self._builder.close())
            self._builder = None

    def data(self, text: str) -> None:
        if self._builder is not None:
            self._builder.data(text)

    def taken(self) -> list[Element]:
        found, self._found = self._found, []
        return found
