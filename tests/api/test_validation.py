"""Bodies and queries: valid values, and the error for each mistake."""

import pytest
from rest_framework import serializers

from api.fields import StrictChoice, StrictFlag, StrictSerializer, StrictText, StrictWhole
from api.problems import ApiProblem
from api.v1.shared_fields import MetadataField
from api.validation import QuerySerializer, problem_of


def validated(shape, data):
    serializer = shape(data=data)
    try:
        serializer.is_valid(raise_exception=True)
    except serializers.ValidationError as error:
        raise problem_of(error) from None
    return serializer.validated_data


class Inner(StrictSerializer):
    number = StrictText(pattern="[0-9]+", says="Send digits.", max_length=8)


class Outer(StrictSerializer):
    label = StrictText(min_length=2, max_length=6)  # type: ignore[assignment]
    count = StrictWhole(min_value=1, max_value=9, required=False)
    urgent = StrictFlag(required=False)
    side = StrictChoice(choices=["buy", "sell"], required=False)
    inner = Inner(required=False)
    tags = serializers.ListField(child=StrictText(max_length=3), required=False, max_length=2)
    metadata = MetadataField(required=False)


def faults(body):
    with pytest.raises(ApiProblem) as refused:
        validated(Outer, body)
    assert (refused.value.status, refused.value.code.name) == (422, "VALIDATION_ERROR")
    return {fault.pointer: fault.code for fault in refused.value.errors}


def test_what_fits_comes_out_as_it_was_sent():
    body = {
        "label": " Fuel ",
        "count": 3,
        "urgent": False,
        "side": "buy",
        "inner": {"number": "007"},
        "tags": ["a", "b"],
    }

    assert validated(Outer, body) == body


@pytest.mark.parametrize("key", ["", " ", "k" * 41, "a\u200b"])
def test_a_mistake_in_a_metadata_key_says_so(key):
    with pytest.raises(ApiProblem) as refused:
        validated(Outer, {"label": "ab", "metadata": {"fine": "x", key: "x"}})

    told = [one for one in refused.value.errors if one.pointer == "/metadata"]
    assert told[0].detail.startswith("Change key 2. ")


@pytest.mark.parametrize(
    ("change", "pointer", "code"),
    [
        ({"label": None}, "/label", "is_null"),
        ({"label": 1250.5}, "/label", "wrong_type"),
        ({"label": True}, "/label", "wrong_type"),
        ({"label": ["x"]}, "/label", "wrong_type"),
        ({"label": ""}, "/label", "too_short"),
        ({"label": "x"}, "/label", "too_short"),
        ({"label": "x" * 7}, "/label", "too_long"),
        ({"label": "a\u202eb"}, "/label", "hidden_character"),
        ({"label": "a\x00b"}, "/label", "hidden_character"),
        ({"label": "a\u200bb"}, "/label", "hidden_character"),
        ({"label": "\u1ecd\u0323\u094d\u200d\u093c\u0915"}, "/label", "hidden_character"),
        ({"metadata": {"a": "b\u2060"}}, "/metadata/a", "hidden_character"),
        ({"metadata": {"a\u200b": "b"}}, "/metadata", "hidden_character"),
        ({"count": "3"}, "/count", "wrong_type"),
        ({"count": 3.0}, "/count", "wrong_type"),
        ({"count": True}, "/count", "wrong_type"),
        ({"count": 10}, "/count", "out_of_range"),
        ({"urgent": "yes"}, "/urgent", "wrong_type"),
        ({"urgent": 1}, "/urgent", "wrong_type"),
        ({"side": "hold"}, "/side", "unknown_value"),
        ({"side": 1}, "/side", "unknown_value"),
        ({"side": ["buy"]}, "/side", "unknown_value"),
        ({"inner": "x"}, "/inner", "wrong_type"),
        ({"inner": []}, "/inner", "wrong_type"),
        ({"inner": {}}, "/inner/number", "missing"),
        ({"inner": {"number": "x"}}, "/inner/number", "wrong_shape"),
        ({"inner": {"number": "1", "more": 1}}, "/inner/more", "unknown_member"),
        ({"tags": "abc"}, "/tags", "wrong_type"),
        ({"tags": {"a": 1}}, "/tags", "wrong_type"),
        ({"tags": ["a", 1]}, "/tags/1", "wrong_type"),
        ({"tags": ["a", "b", "c"]}, "/tags", "too_long"),
        ({"a/b~c": 1}, "/a~1b~0c", "unknown_member"),
    ],
)
def test_a_mistake_is_named_where_it_is(change, pointer, code):
    assert faults({"label": "Fuel"} | change) == {pointer: code}


def test_a_character_that_nobody_sees_is_named():
    with pytest.raises(ApiProblem) as refused:
        validated(Outer, {"label": "a\u200bb"})
    (fault,) = refused.value.errors
    assert fault.detail == "Remove the hidden character U+200B (zero width space) at position 2."


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ("\u200babc", "at position 1"),
        ("abc\u00a0d\u202e", "at position 6"),
        ("\u05e9\u05dc\u05d5\u05dd\u2066", "at position 5"),
        ("\U0001f468\u200d\U0001f469 x\u2060", "at position 6"),
    ],
)
def test_the_place_of_a_character_in_metadata_is_named(value, place):
    with pytest.raises(ApiProblem) as refused:
        validated(Outer, {"label": "ab", "metadata": {"fine": "x", "order": value}})
    (fault,) = refused.value.errors
    assert fault.pointer == "/metadata/order"
    assert place in fault.detail


def test_every_mistake_is_told_at_once():
    found = faults({"count": 0, "inner": {}, "more": 1})

    assert found == {
        "/more": "unknown_member",
        "/label": "missing",
        "/count": "out_of_range",
        "/inner/number": "missing",
    }


def test_a_flood_of_mistakes_is_cut():
    assert len(faults({f"m{number}": 1 for number in range(500)})) == 20


def test_what_may_be_sent_instead_is_listed():
    for body, pointer, allowed in (
        ({"label": "ab", "side": "hold"}, "/side", ["buy", "sell"]),
        ({"label": "ab", "inner": {"number": "1", "x": 1}}, "/inner/x", ["number"]),
    ):
        with pytest.raises(ApiProblem) as refused:
            validated(Outer, body)
        (fault,) = refused.value.errors
        assert (fault.pointer, fault.allowed) == (pointer, allowed)


def test_nothing_of_what_was_sent_comes_back():
    marked = "CANARY-77"
    body = {
        "label": marked,
        "count": marked,
        "urgent": marked,
        "side": marked,
        "inner": {"number": marked},
        "tags": [marked, {"a": marked}],
    }

    with pytest.raises(ApiProblem) as refused:
        validated(Outer, body)

    assert len(refused.value.errors) >= 6
    assert marked not in str(refused.value.document("req_1"))


def test_an_operation_without_a_query_takes_none():
    with pytest.raises(ApiProblem) as refused:
        validated(QuerySerializer, "x=1")

    assert [(f.pointer, f.code) for f in refused.value.errors] == [("/x", "unknown_parameter")]
