"""People, and things in a given state, reached by the real verbs."""

from tests.given.applications import (
    a_reviewed_application,
    an_application,
    cleared,
    filled,
    fresh,
    settle,
    settle_reviews,
)
from tests.given.packs import STEPS, a_pack, accepted, approve, fresh_pack, signed_set, walked
from tests.given.people import (
    a_business,
    a_code,
    a_member,
    a_person,
    an_authenticator,
    long_ago,
    one_of_staff,
    owner_of,
    seconds_left_of_this_code,
    seed_of,
    signed_in,
)

__all__ = [
    "STEPS",
    "a_business",
    "a_code",
    "a_member",
    "a_pack",
    "a_person",
    "a_reviewed_application",
    "accepted",
    "an_application",
    "an_authenticator",
    "approve",
    "cleared",
    "filled",
    "fresh",
    "fresh_pack",
    "long_ago",
    "one_of_staff",
    "owner_of",
    "seconds_left_of_this_code",
    "seed_of",
    "settle",
    "settle_reviews",
    "signed_in",
    "signed_set",
    "walked",
]
