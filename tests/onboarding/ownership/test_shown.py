"""What a page shows of a structure."""

from onboarding.ownership.shown import shown
from tests.onboarding.ownership.examples import owned


def test_the_tree_goes_from_the_business_up_and_marks_loops():
    found = shown(owned("H 80 App; G 20 App; P1 90 H; App 10 H"))

    assert [(line.x, line.text) for line in found.lines] == [
        (8, "the business"), (32, "H, 80 %"), (56, "P1, 90 %"), (56, "the business, 10 % (loop)"),
        (32, "G, 20 %"),
    ]  # fmt: skip
    assert found.lines[2].path == "M32 49V70H49"
    assert [row.name for row in found.rows] == ["P1", "H", "G"]
    assert found.rows[2].is_near


def test_each_party_is_drawn_with_its_owners_once():
    found = shown(owned("A 50 App; B1 50 App; C1 100 A; C1 100 B1; Kim 100 C1"))

    assert [line.text for line in found.lines].count("Kim, 100 %") == 1
    assert "C1, 100 % (see above)" in [line.text for line in found.lines]


def test_a_row_says_what_a_party_holds_and_does():
    found = shown(
        owned(
            "Jon 10 App shareholding 60; Kim 20-90 App", roles="Jon director App; Kim acts_for Jon"
        )
    )
    jon = next(row for row in found.rows if row.name == "Jon")
    kim = next(row for row in found.rows if row.name == "Kim")

    assert jon.direct == ["10 %, 60 % of the votes of the business"]
    assert jon.roles == ["director of the business"]
    assert (jon.effective, jon.votes) == ("10\N{NO-BREAK SPACE}%", "60\N{NO-BREAK SPACE}%")
    assert jon.why == ["Interest", "Control"]
    assert kim.direct == ["20 % to 90 % of the business"]
    assert kim.roles == ["acts for Jon"]


def test_a_huge_tree_is_cut():
    found = shown(owned("; ".join(f"p{n} 0.2 App" for n in range(400))))

    assert (len(found.lines), found.left_out) == (300, True)
