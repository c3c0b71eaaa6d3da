"""Calls that contain one of our keys are refused, naming the field or header."""

import json

import pytest

from api import leaked_keys
from api.problems import ApiProblem
from apikeys import secrets
from apikeys.lifecycle import Environment

PLAIN = secrets.mint(Environment.SANDBOX).plain


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"reference": PLAIN}, "/reference"),
        ({"metadata": {"a/b": f"key: {PLAIN}"}}, "/metadata/a~1b"),
        ({"items": [{"note": "x"}, {"note": PLAIN}]}, "/items/1/note"),
        ({"metadata": {PLAIN: "x"}}, "/metadata"),
        (json.loads('{"a": "\\u0073vc_' + PLAIN[4:] + '"}'), "/a"),
    ],
)
def test_it_names_the_member(body, pointer):
    with pytest.raises(ApiProblem) as refused:
        leaked_keys.refuse(body, "")
    (fault,) = refused.value.errors
    assert (refused.value.status, fault.pointer, fault.code) == (422, pointer, "holds_a_key")
    assert PLAIN not in str(refused.value.document("req_1"))


@pytest.mark.parametrize("body", [{"note": PLAIN[:-1]}, {"note": "svc_test_"}, {"n": 1}, {}])
def test_other_bodies_pass(body):
    leaked_keys.refuse(body, "")


@pytest.mark.parametrize("sent", ["{}", '"{}"', "order-1 {}"])
def test_it_is_no_idempotency_key(sent):
    with pytest.raises(ApiProblem) as refused:
        leaked_keys.refuse({}, sent.format(PLAIN))
    (fault,) = refused.value.errors
    found = (refused.value.status, fault.pointer, fault.code)
    assert found == (400, "/headers/Idempotency-Key", "holds_a_key")
    assert PLAIN not in str(refused.value.document("req_1"))


def test_another_idempotency_key_passes():
    leaked_keys.refuse({}, PLAIN[:-1])
