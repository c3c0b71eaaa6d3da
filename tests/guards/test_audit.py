"""Every audit code has a message, every message a code, and every event is documented."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TypeGuard

import pytest

from console.audit import messages
from console.core import lifecycles
from console.core.lifecycle import Lifecycle
from console.events import outbox
from tests.guards.tree import ROOT, Module, modules

CODE = re.compile(r"[a-z_]+\.[a-z_]+")


def moves_of(family: str) -> set[str]:
    """Return the codes that `f"{family}.{to}"` can produce, one for each target status.

    A family is a model's name, or its last word.
    """
    tables: dict[str, Lifecycle] = {}
    for one in lifecycles.bound():
        words = str(one.model._meta.verbose_name).lower().split()
        tables |= {words[-1]: one.lifecycle, "_".join(words): one.lifecycle}
    onward = tables[family].moves.values()
    return {f"{family}.{there}" for moves in onward for there in moves}


def codes(module: Module, verb: str, callers: Iterable[Module] = ()) -> set[str]:
    """Return every code or kind that a module passes to `record` or `publish`.

    `callers` are modules that may call its functions as attributes of the module.
    """
    found: set[str] = set()
    for function, given in _first_words(module, verb):
        if isinstance(given, ast.Name):  # the code is a parameter, so look at the calls
            found |= _handed(module, function, callers, of_act=given.id == "act")
        else:
            found |= _meant(given)
    return found


def _handed(module: Module, function: str, callers: Iterable[Module], *, of_act: bool) -> set[str]:
    """Return the codes that callers pass to a function, directly or through another function."""
    found: set[str] = set()
    by_module = f"{module.name.removesuffix('.py')}.{function}"
    for one, name in [(module, function), *((one, by_module) for one in callers)]:
        for call in _calls_by_name(one)[name]:
            named = [word for word in call.keywords if word.arg != "act" or of_act]
            words = [*call.args, *(word.value for word in named)]
            found |= {code for word in words for code in _meant(word)}
    for outer in module.functions:
        inner = [call for call in _calls(outer) if ast.unparse(call.func) == function]
        if any(ast.unparse(word) == "code" for call in inner for word in call.args):
            found |= _handed(module, outer.name, callers, of_act=of_act)
    return found


def _first_words(module: Module, verb: str) -> Iterator[tuple[str, ast.expr]]:
    """Yield the first argument of each call of the verb, with the name of the calling function."""
    writers = {"record": ("audit", "log"), "publish": ("events", "outbox")}[verb]
    for function in module.functions:
        for call in _calls(function):
            if ast.unparse(call.func) in {f"{writer}.{verb}" for writer in writers}:
                first = call.args[0]
                words = first.values if isinstance(first, ast.BoolOp) else [first]
                yield from ((function.name, word) for word in words)


def _calls(syntax: ast.AST) -> list[ast.Call]:
    return [node for node in ast.walk(syntax) if isinstance(node, ast.Call)]


@cache
def _calls_by_name(module: Module) -> defaultdict[str, list[ast.Call]]:
    found: defaultdict[str, list[ast.Call]] = defaultdict(list)
    for call in _calls(module.syntax):
        found[ast.unparse(call.func)].append(call)
    return found


def _meant(given: ast.expr) -> set[str]:
    if isinstance(given, ast.IfExp):
        return _meant(given.body) | _meant(given.orelse)
    if isinstance(given, ast.Subscript) and isinstance(given.value, ast.Dict):
        return set().union(*map(_meant, given.value.values))
    if isinstance(given, ast.JoinedStr):
        first = given.values[0]
        family = str(first.value) if isinstance(first, ast.Constant) else ""
        return moves_of(family[:-1]) if re.fullmatch(r"[a-z_]+\.", family) else set()
    if isinstance(given, ast.Constant) and CODE.fullmatch(str(given.value)):
        return {str(given.value)}
    return set()


def acts(module: Module) -> set[str]:
    """Return the audit codes that verbs pass as `act`."""
    words = [node.value for node in module.nodes if _names_an_act(node)]
    return set().union(*map(_meant, words))


def _names_an_act(node: ast.AST) -> TypeGuard[ast.keyword | ast.Assign]:
    if isinstance(node, ast.Assign):
        return [ast.unparse(target) for target in node.targets] == ["act"]
    return isinstance(node, ast.keyword) and node.arg == "act"


def disbursed(module: Module) -> set[str]:
    """Return the codes of the disbursements that a module defines with `Disbursing`."""
    words = {ast.literal_eval(call.args[1]) for call in _calls_by_name(module)["Disbursing"]}
    return {code for word in words for code in {f"{word}.created", *moves_of(word)}}


@cache
def all_of(verb: str) -> set[str]:
    everything = modules()
    found = [codes(module, verb, everything) | disbursed(module) for module in everything]
    if verb == "record":
        found += map(acts, everything)
    return set().union(*found)


# Codes that several verbs may write.
ONE_ACT = {
    "DisbursementStatus.COMPLETED": "the provider decides at once, or has decided before",
    "KeyStatus.REVOKED": "the entry gives the cause as its reason",
    "ApplicationStatus.WITHDRAWN": "a release ends what the business withdrew on hold",
}
MOVERS = ("move", "_move", "_end", "_set_status")


def written_by(every: Iterable[Module]) -> dict[str, set[str]]:
    """Return each audit code or target status, with the functions that name it."""
    found: dict[str, set[str]] = defaultdict(set)
    verbs = [one for one in every if one.name != "public_kinds.py" and "/demo/" not in one.path]
    for module in verbs:
        for function in module.functions:
            for code in {code for call in _calls(function) for code in _named(call)}:
                found[code].add(f"{module.path}:{function.name}")
    return found


def _named(call: ast.Call) -> set[str]:
    """Return the codes that a call writes: its `act`, or else its code or status arguments."""
    *owner, name = ast.unparse(call.func).split(".")
    if owner and owner[-1] in ("events", "outbox"):
        return set()
    if given := [word.value for word in call.keywords if word.arg == "act"]:
        return set().union(*map(_meant, given))
    if name in MOVERS:
        return {ast.unparse(word) for word in call.args[1:2] if isinstance(word, ast.Attribute)}
    words = [word for word in call.args if not isinstance(word, ast.JoinedStr)]
    return {code for word in words for code in _meant(word)} & messages.known()


def test_no_two_verbs_write_the_same_code():
    found = written_by(modules())
    assert len(found) > 100
    shared = {code for code, names in found.items() if len(names) > 1}
    assert shared == ONE_ACT.keys()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("move(tea, Tea.HOT, by=by)", "Tea.HOT"),
        ("teas.move(tea, to, act='tea.hot', by=by)", "tea.hot"),
        ("audit.record('demo.made', tea, by=by)", "demo.made"),
    ],
)
def test_it_sees_two_verbs_with_one_code(text, code):
    planted = f"def heat():\n  {text}\ndef warm():\n  {text}"
    assert written_by([Module("a.py", planted)])[code] == {"a.py:heat", "a.py:warm"}


def test_every_code_has_a_sentence():
    written = all_of("record")
    assert len(written) > 60
    assert written - messages.known() == set()


def test_every_sentence_has_a_code():
    assert messages.known() - all_of("record") == set()


def test_every_sentence_names_nothing_but_its_actor_and_its_subject():
    for code in messages.known():
        assert messages.sentence(code, actor="Ada", subject="it").strip(), code


# Events


def documented(text: str) -> set[str]:
    """Return the kinds listed in the events table, with `<status>` expanded to every move."""
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    found: set[str] = set()
    for family, kind in re.findall(r"`([a-z_]+)\.(<status>|[a-z_]+)`", " ".join(rows)):
        found |= moves_of(family) if kind == "<status>" else {f"{family}.{kind}"}
    return found


def test_every_event_is_documented_and_every_documented_event_happens():
    assert documented((ROOT / "docs/events.md").read_text()) ^ all_of("publish") == set()


def test_every_listener_listens_to_something_that_happens():
    heard = {kind for kind, listeners in outbox._listeners.items() if listeners}
    assert heard - all_of("publish") == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('audit.record("tea.brewed", pot, by=by)', {"tea.brewed"}),
        ('_note("tea.cold")\ndef _note(code):\n  audit.record(code, pot)', {"tea.cold"}),
        ('audit.record(f"grant.{to}", grant)', {"grant.open", "grant.closed", "grant.suspended"}),
        ('audit.record("a.b" if x else "a.c", pot)', {"a.b", "a.c"}),
        ('other.record("tea.brewed")', set()),
    ],
)
def test_it_sees_a_planted_code(text, found):
    text = text if "def " in text else f"def f():\n  {text}"
    assert codes(Module("a.py", text), "record") == found
    assert not found & {"tea.brewed", "tea.cold"} & messages.known()


def test_it_sees_a_code_that_another_module_hands_over():
    teller = Module("tea.py", "def tell(code):\n  audit.record(code, pot)")
    caller = Module("b.py", 'def f():\n  tea.tell("tea.brewed")')
    assert codes(teller, "record", [caller]) == {"tea.brewed"}


def test_it_reads_the_word_of_a_disbursement():
    planted = Module("a.py", 'PAYOUTS = Disbursing(Payout, "payout", effect=tell)')
    assert disbursed(planted) == {"payout.created", "payout.completed", "payout.failed"}


def test_it_reads_a_planted_table():
    table = "# Events\n| --- |\n| `grant.<status>` | x |\n| `tea.brewed` | y |\n"
    assert documented(table) == {"grant.open", "grant.closed", "grant.suspended", "tea.brewed"}
