"""Reject restricted places in requests, with a pointer to each."""

from collections.abc import Iterable

from rest_framework import serializers

from api.fields import mistake
from api.problem_reasons import REASONS, RESTRICTED
from onboarding.restrictions import refusing
from onboarding.restrictions.restricted_list import StatedPlace


def refuse_restricted(places: Iterable[StatedPlace]) -> None:
    """Raise a validation error for places on the restricted list, each at its path."""
    if found := refusing.find(places):
        wrong = mistake(RESTRICTED, REASONS["COMPLIANCE_BLOCKED"][RESTRICTED])
        raise serializers.ValidationError({place.path: wrong.detail for place, _ in found})
