"""The structure is read from the answers of every edition."""

from fractions import Fraction

from onboarding.ownership.structure import (
    ANSWER,
    BUSINESS,
    End,
    Holding,
    Interest,
    OwnershipParty,
    OwnershipRole,
    PartyKind,
    RoleKind,
    is_given,
    structure_of,
)
from tests.onboarding import answered


def test_rows_of_the_first_editions_are_people_with_direct_shares():
    rows = answered.answers(**answered.OWNER_ROWS)
    read = structure_of(rows)

    assert not is_given(rows)
    assert read.name == "Kettle & Kiosk Ltd"
    assert read.parties[0] == OwnershipParty(
        "p1", PartyKind.PERSON, "Mara Ellwood", "GB", "1984-05-02"
    )
    share = Fraction(60, 100)
    assert read.holdings[0] == Holding("p1", BUSINESS, Interest.SHAREHOLDING, share, share)
    assert [holding.least for holding in read.owners_in[BUSINESS]] == [
        Fraction(3, 5),
        Fraction(2, 5),
    ]


def test_the_answer_is_read_with_ranges_votes_and_roles():
    answer = {
        "parties": [
            {"id": "p1", "kind": "person", "name": "Dia Moss", "country": "GB",
             "born": "1980-01-31"},
            {"id": "p2", "kind": "entity", "name": "X Ltd", "country": "GB", "end": "unknown"},
            {"id": "p3", "kind": "listed", "name": "Y plc", "country": "GB", "market": "XLON"},
        ],
        "holdings": [
            {"owner": "p1", "owned": "p2", "interest": "shareholding", "share": "33.3"},
            {"owner": "p2", "owned": "business", "interest": "shareholding", "share_min": "20",
             "share_max": "30", "votes": "60"},
            {"owner": "p3", "owned": "business", "interest": "appointmentOfBoard"},
            {"owner": "p3", "owned": "p2", "interest": "shareholding"},
            {"owner": "p1", "owned": "p3", "interest": "boardChair"},
        ],
        "roles": [{"party": "p1", "role": "director", "of": "business"}],
    }  # fmt: skip
    read = structure_of({ANSWER: answer})

    assert (read.by_id["p2"].end, read.by_id["p3"].market) == (End.UNKNOWN, "XLON")
    exact, ranged, board, unstated = read.holdings
    assert exact.least == exact.most == Fraction(333, 1000)
    assert (ranged.least, ranged.most, ranged.votes) == (
        Fraction(1, 5),
        Fraction(3, 10),
        Fraction(3, 5),
    )
    assert (board.interest, board.most) == (
        Interest.APPOINTMENT_OF_BOARD,
        Fraction(0),
    )
    assert (unstated.least, unstated.most) == (Fraction(0), Fraction(1))
    assert read.roles == (
        OwnershipRole("p1", RoleKind.DIRECTOR, "p3"),
        OwnershipRole("p1", RoleKind.DIRECTOR),
    )
    assert read.with_role(BUSINESS, RoleKind.DIRECTOR) == ["p1"]


def test_a_draft_that_names_nobody_or_unknown_parties_is_read():
    assert structure_of({}).parties == ()
    holding = {"owner": "p1", "owned": "business", "interest": "shareholding", "share": "60"}
    assert structure_of({ANSWER: {"holdings": [holding]}}).holdings == ()
