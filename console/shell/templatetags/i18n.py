"""Django's tags of translation, whose sentences keep the direction of the values in them.

A name from right to left would otherwise reorder the words around it, on pages and in e-mails.
"""

from typing import Any

from django.template import Library
from django.template.base import FilterExpression, Node, Parser, Token, TokenType
from django.templatetags import i18n

from console.core.text import isolated

register = Library()
register.tags, register.filters = dict(i18n.register.tags), dict(i18n.register.filters)


class _Isolated:
    """A value of a sentence, in the marks that keep its direction to itself."""

    def __init__(self, value: FilterExpression) -> None:
        self._value = value

    def resolve(self, context: Any) -> Any:
        return isolated(self._value.resolve(context))


@register.tag("blocktrans")
@register.tag("blocktranslate")
def sentence(parser: Parser, token: Token) -> Node:
    """Translate a sentence with its values isolated."""
    node = i18n.do_block_translate(parser, token)
    named = {
        one.contents for one in (*node.singular, *node.plural) if one.token_type == TokenType.VAR
    } - {node.countervar}
    given: dict[str, Any] = node.extra_context
    for name in named:
        given[name] = _Isolated(given.get(name) or parser.compile_filter(name))
    return node
