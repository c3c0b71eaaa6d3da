"""Every page of the console, read from the URL table: its name, address and policy."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from api.views import ApiView
from console.core import page_policies
from console.core.page_policies import PagePolicy

UNSAFE = ("POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True)
class Page:
    """One row of the URL table; `parameters` are the names in its address."""

    name: str
    parameters: tuple[str, ...]
    policy: PagePolicy | None

    def __str__(self) -> str:
        return self.name

    @property
    def required(self) -> PagePolicy:
        assert self.policy is not None, f"{self.name} has no policy"
        return self.policy

    def at(self, values: dict[str, object]) -> str:
        """Return the page's address; fail if `values` lacks one of its parameters."""
        special = values.get(self.name, {})
        assert isinstance(special, dict)
        missing = [one for one in self.parameters if one not in values and one not in special]
        assert not missing, f"{self.name}: tests/matrices/world.py does not know {missing}"
        return reverse(
            self.name, kwargs={p: special.get(p, values.get(p)) for p in self.parameters}
        )


def all_pages(urlconf: str | None = None) -> list[Page]:
    """Return the pages of a URL configuration, by default the console's."""
    return list(_walk(get_resolver(urlconf).url_patterns, ""))


def _walk(patterns: Iterable[URLPattern | URLResolver], space: str) -> Iterator[Page]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            inner = ":".join(part for part in (space, pattern.namespace or "") if part)
            yield from _walk(pattern.url_patterns, inner)
        elif not issubclass(getattr(pattern.callback, "cls", object), ApiView):
            name = f"{space}:{pattern.name}" if space else str(pattern.name)
            parameters = tuple(pattern.pattern.converters)
            yield Page(name, parameters, page_policies.policy_of(pattern.callback))


PAGES = all_pages()
# Of the checkout host, which has a URL configuration of its own.
HOSTED = all_pages("api.hosted.urls")
# Of the demo's shop.
SHOP = all_pages("api.demo.shop_urls")
