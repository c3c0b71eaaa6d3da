"""Verbs do not depend on the web framework, and every verb that changes rows names its actor."""

import ast

import pytest

from tests.guards.tree import Module, decorators, modules

WEB = (
    "django.http", "django.shortcuts", "django.contrib.messages", "django.forms",
    "rest_framework", "celery",
)  # fmt: skip
# Modules that connect the web to the verbs, or belong to the web.
NOT_VERBS = ("forms.py", "apps.py", "urls.py", "page_access.py", "management")
OF_THE_WEB = {
    "console/accounts/signin.py": "signing in changes the session of the request itself",
}
NOBODY_YET = {
    ("console/accounts/signup.py", "sign_up"): "there is no person before it",
    ("console/accounts/signup.py", "send_confirmation"): "the person asks for themselves",
    ("console/accounts/signup.py", "send_again"): "whoever asks is not signed in",
    ("console/accounts/passwords.py", "ask_for_reset"): "whoever asks is not signed in",
    ("console/accounts/passwords.py", "reset"): "the link in the mail says who it is",
    ("console/accounts/factors.py", "check_code"): "the code proves who it is",
    ("console/accounts/passkeys.py", "check"): "the passkey proves who it is",
    ("api/payments/instructions.py", "ask_due"): "it only wakes workers",
    ("api/payments/screenings.py", "ask_due"): "it only wakes workers",
    ("api/payments/provider_events.py", "receive"): "the signature says who it is",
    ("api/payments/provider_events.py", "apply"): "the stored event says who it is",
    ("apikeys/webhooks/dispatcher/due_deliveries.py", "take"): "the dispatcher acts for nobody",
    ("apikeys/webhooks/dispatcher/settling.py", "write"): "the dispatcher acts for nobody",
    ("apikeys/webhooks/dispatcher/recovery.py", "reap"): "the dispatcher acts for nobody",
}


def atomic(module: Module) -> list[ast.FunctionDef]:
    return [one for one in module.functions if "transaction.atomic" in decorators(one)]


def is_of_pages(module: Module) -> bool:
    return "/views/" in module.path or module.path.endswith("_views.py")


def is_of_verbs(module: Module) -> bool:
    others = is_of_pages(module) or any(part in NOT_VERBS for part in module.path.split("/"))
    return bool(atomic(module)) and not others


def knows_the_web(module: Module) -> list[str]:
    if not is_of_verbs(module) or module.path in OF_THE_WEB:
        return []
    return [
        module.says(1, f"holds verbs and imports {name}")
        for name in sorted(module.imported)
        if any(name == web or name.startswith(f"{web}.") for web in WEB)
    ]


def nameless_actors(module: Module) -> list[str]:
    found = []
    for verb in atomic(module):
        public = not verb.name.startswith("_")
        if public and (module.path, verb.name) not in NOBODY_YET and not _names_its_actor(verb):
            found.append(module.says(verb.lineno, f"{verb.name}() does not take by="))
    return found


def optional_actors(module: Module) -> list[str]:
    """Return the functions whose `by` argument has a default."""
    found = []
    for one in module.functions:
        given = zip(one.args.kwonlyargs, one.args.kw_defaults, strict=True)
        if any(argument.arg == "by" and default is not None for argument, default in given):
            found.append(module.says(one.lineno, f"{one.name}() has a default for by="))
    return found


def pages_of_the_system(module: Module) -> list[str]:
    """Return view modules that import SYSTEM; a view must act as the user."""
    takes = is_of_pages(module) and "console.accounts.actors.SYSTEM" in module.imported
    return [module.says(1, "is a page and takes SYSTEM")] if takes else []


def _names_its_actor(verb: ast.FunctionDef) -> bool:
    return "by" in [argument.arg for argument in verb.args.kwonlyargs]


GUARDS = [knows_the_web, nameless_actors, optional_actors, pages_of_the_system]


@pytest.mark.parametrize("guard", GUARDS, ids=lambda one: one.__name__)
def test_every_verb(guard):
    assert sum(is_of_verbs(module) for module in modules()) > 15
    assert [found for module in modules() for found in guard(module)] == []


def test_every_exception_is_still_needed():
    known = {module.path: module for module in modules()}
    assert all(any(map(_is_web, known[path].imported)) for path in OF_THE_WEB)
    for path, name in NOBODY_YET:
        (verb,) = [one for one in atomic(known[path]) if one.name == name]
        assert not _names_its_actor(verb)


def _is_web(name: str) -> bool:
    return name.startswith(WEB) or name == "django.contrib"
