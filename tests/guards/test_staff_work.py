"""Whatever our staff decide is the work of some module, so that its badge and e-mail count it."""

from collections.abc import Iterable

from console.accounts.roles import GRANTS, Permission, Role
from console.publishing import published_kinds
from console.shell import modules
from console.shell.modules import ConsoleModule
from onboarding.review import decision_registry
from tests.guards.test_decisions import DECIDE_NOTHING
from tests.matrices.pages import PAGES


def deciding() -> set[str]:
    """Return the permissions to decide on a case, to propose or publish a version, to send a form.

    Not those of auditors, who change nothing.
    """
    cases = {
        permission
        for one in decision_registry.all_decisions()
        for permission in (one.permission, *one.permissions.values())
    }
    kinds = published_kinds.every()
    versions = {one for kind in kinds for one in (kind.propose, kind.put_in_use)}
    forms = {
        page.required.permission
        for page in PAGES
        if page.required.kind == "staff"
        and "POST" in page.required.methods
        and page.name not in DECIDE_NOTHING
    }
    return {str(one) for one in cases | versions | forms if one} - GRANTS[Role.AUDITOR]


def forgotten(places: Iterable[ConsoleModule]) -> list[str]:
    """Return the deciding permissions that are the work of none of these modules."""
    worked = {permission for one in places for permission in one.work_of}
    return sorted(deciding() - worked)


def test_every_permission_that_decides_is_the_work_of_a_module():
    assert len(deciding()) > 15
    assert forgotten(modules.all_modules()) == []


def test_a_module_works_by_known_permissions():
    named = {name for one in modules.all_modules() for name in one.work_of}
    assert named <= {str(one) for one in Permission}


def test_a_forgotten_permission_is_named():
    without = [one for one in modules.all_modules() if one.key != "packs"]
    assert "approve_compliance" in forgotten(without)
