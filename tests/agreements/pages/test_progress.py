"""The progress stages of agreements."""

import pytest

from agreements.lifecycle import PackStatus
from console.shell.progress import BusinessProgress
from tests import factories

OURS = ("Read and sign", "Approvals", "Executed")


def states(business):
    return [step.state for step in BusinessProgress(business).steps if step.title in OURS]


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (PackStatus.IN_REVIEW, ["current", "todo", "todo"]),
        (PackStatus.IN_APPROVAL, ["done", "current", "todo"]),
        (PackStatus.APPROVED, ["done", "done", "current"]),
        (PackStatus.RETURNED, ["problem", "todo", "todo"]),
        (PackStatus.EXPIRED, ["todo", "todo", "todo"]),
    ],
)
def test_they_follow_the_pack(pack, at, expected):
    assert states(factories.walked(pack, at).business) == expected


def test_an_executed_pack_is_the_end_of_them(executed):
    assert states(executed.business) == ["done", "done", "done"]


def test_without_a_pack_everything_is_to_come():
    assert states(factories.a_business()) == ["todo", "todo", "todo"]


def test_each_names_where_to_go(pack):
    progress = BusinessProgress(pack.business, factories.owner_of(pack.business).email)
    (step,) = [step for step in progress.steps if step.title == "Read and sign"]

    assert step.url == f"/b/{pack.business.public_id}/agreements/"
    assert step.action == "Read and sign"
