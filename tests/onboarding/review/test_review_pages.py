"""The reviewers' queue, their decision pages, and the panels of the case page."""

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import escape

from console.accounts.models import Membership, User
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core import clock
from console.events.models import Event
from onboarding import application_progress
from onboarding.lifecycle import ApplicationStatus, CheckStatus
from onboarding.models import CaseAct
from onboarding.review import application_panel, case_decisions, decisions
from onboarding.tiers import Tier
from tests import factories
from tests.accounts.pages.journey import confirmed_and_resumed
from tests.onboarding import answered
from tests.onboarding.intake.sending import body


def address(name, thing=None):
    return reverse(f"onboarding:{name}", args=[thing.public_id] if thing else [])


def rows(text):
    return text.count('<th scope="row"')


def test_the_queue_shows_what_waits_and_why(staff):
    factories.a_reviewed_application(**answered.HIGH)
    factories.a_reviewed_application(**answered.LISTED)
    factories.a_reviewed_application()

    text = body(staff.get(address("review_queue")))

    assert rows(text) == 2
    assert "Waiting for your decision" in text
    assert "1 check open" in text
    today = clock.now().date()
    until = application_progress.working_days_after(
        today, application_progress.WORKING_DAYS[Tier.HIGH]
    )
    assert f"{(until - today).days} days left" in text


def test_filters_live_in_the_address(staff):
    factories.a_reviewed_application(**answered.HIGH)
    factories.a_reviewed_application(**answered.LISTED)
    factories.a_reviewed_application()
    for query, count in [
        ("stage=all", 3),
        ("stage=cleared", 1),
        ("tier=HIGH", 1),
        ("stage=all&tier=LOW", 2),
        ("stage=over", 0),
        ("q=nobody", 0),
        ("stage=all&q=kettle", 3),
        ("stage=nonsense&tier=%00&q=%25", 2),
        ("after=nonsense", 2),
    ]:
        assert rows(body(staff.get(f"{address('review_queue')}?{query}"))) == count


def test_drafts_are_nobodys_to_see(staff):
    factories.an_application("answered")

    assert rows(body(staff.get(f"{address('review_queue')}?stage=all"))) == 0


def test_ten_times_as_many_rows_take_as_many_queries(staff, django_assert_max_num_queries):
    factories.an_application(ApplicationStatus.SUBMITTED)
    url = f"{address('review_queue')}?stage=all"
    staff.get(url)
    with django_assert_max_num_queries(12) as few:
        staff.get(url)
    for _ in range(9):
        factories.an_application(ApplicationStatus.SUBMITTED)

    with django_assert_max_num_queries(12) as many:
        assert rows(body(staff.get(url))) == 10

    assert len(many) == len(few)


# Two lines as browsers send them, with a decomposed accent.
TWO_LINES = "The owners add up to ninety.\r\nSo does the cafe\u0301."


@pytest.mark.parametrize(
    ("name", "to"),
    [
        ("return", ApplicationStatus.RETURNED),
        ("hold", ApplicationStatus.HELD),
        ("decline", ApplicationStatus.DECLINED),
    ],
)
def test_a_press_asks_why_and_then_does_it(staff, name, to):
    application = factories.a_reviewed_application(**answered.HIGH)
    assert staff.get(address(name, application)).status_code == 200

    without = staff.post(address(name, application))
    assert without.status_code == 422
    assert "Say why" in body(without)

    pressed = staff.post(address(name, application), {"note": TWO_LINES})

    assert pressed["Location"] == reverse("agreements:case", args=[application.public_id])
    assert factories.fresh(application).status == to


def test_what_cannot_be_cleared_says_so_and_has_no_button(staff):
    application = factories.a_reviewed_application(**answered.NOT_FOUND)

    text = body(staff.get(address("clear", application)))

    assert "You cannot clear this application yet" in text
    assert "Legal identity confirmed by the register (Kettle &amp; Kiosk Ltd): failed." in text
    staff.post(address("clear", application))
    assert factories.fresh(application).status == ApplicationStatus.SUBMITTED


def test_a_hold_is_ended(staff):
    application = factories.an_application(ApplicationStatus.HELD)

    staff.post(address("release", application), {"note": "Spoke to them."})
    factories.settle_reviews()

    assert factories.fresh(application).status == ApplicationStatus.CLEARED
    assert Entry.objects.filter(code="application.submitted").count() == 1
    assert Event.objects.filter(kind="application.submitted").count() == 1
    (entry,) = Entry.objects.filter(code="application.released")
    assert (entry.actor_name, '"note":"Spoke to them."' in entry.body) == (who(staff).name, True)
    history = body(staff.get(f"{application.case_url}?show=history"))
    assert "continued the review of the application" in history


def test_a_case_of_another_name_shows_both(staff):
    application = factories.a_reviewed_application(**answered.LISTED)

    queue = body(staff.get(address("review_queue")))

    assert "Legal name Sanctioned Kettle Ltd" in queue
    case = body(staff.get(application.case_url))
    assert f"Known as {escape(application.business.name)}" in case


def test_a_check_is_decided(staff):
    application = factories.a_reviewed_application(**answered.LISTED)
    check = application.submission.checks.get(status=CheckStatus.NEEDS_REVIEW)
    assert "Possible match" in body(staff.get(address("decide_check", check)))

    empty = staff.post(address("decide_check", check))
    staff.post(address("decide_check", check), {"passed": "yes", "reason": "Another country."})

    assert "Choose passed or failed." in body(empty)
    check.refresh_from_db()
    assert check.status == CheckStatus.PASSED


def test_a_decided_check_says_who_decided_it_and_why_and_offers_no_form(staff):
    application = factories.a_reviewed_application(**answered.LISTED)
    check = application.submission.checks.get(status=CheckStatus.NEEDS_REVIEW)
    staff.post(address("decide_check", check), {"passed": "yes", "reason": "Another country."})

    page = body(staff.get(address("decide_check", check)))
    assert "does not need a decision" in page
    assert "Another country." in page
    assert "<textarea" not in page
    late = staff.post(address("decide_check", check), {"passed": "no", "reason": "I saw more."})
    assert late.status_code == 422
    assert "I saw more.</textarea>" in body(late)


def test_declining_asks_again_who_it_is(client):
    application = factories.a_reviewed_application(**answered.HIGH)
    person = factories.signed_in(client, factories.one_of_staff(Role.COMPLIANCE))

    answer = factories.long_ago(person).post(address("decline", application), {"note": "No."})

    assert answer.status_code == 302
    assert factories.fresh(application).status == ApplicationStatus.SUBMITTED


def test_a_decision_is_made_after_confirming(staff):
    application = factories.a_reviewed_application(**answered.HIGH)

    asked = factories.long_ago(staff).post(address("hold", application), {"note": TWO_LINES})
    assert factories.fresh(application).status == ApplicationStatus.SUBMITTED
    confirmed_and_resumed(staff, asked, who(staff))

    assert factories.fresh(application).status != ApplicationStatus.SUBMITTED
    entry = Entry.objects.filter(subject_id=application.public_id).order_by("-pk")[0]
    assert "So does the caf\u00e9." in entry.body


def test_a_note_stands_there_again_when_the_case_moved_on_meanwhile(staff):
    application = factories.a_reviewed_application(**answered.HIGH)
    press = address("hold", application)
    asked = factories.long_ago(staff).post(press, {"note": TWO_LINES})
    decisions.decline(
        application, note="Declined meanwhile.", by=factories.one_of_staff(Role.COMPLIANCE)
    )

    answer = confirmed_and_resumed(staff, asked, who(staff))

    assert "The owners add up to ninety." in answer.content.decode()


def test_a_check_is_decided_after_confirming(staff):
    application = factories.a_reviewed_application(**answered.LISTED)
    check = application.submission.checks.get(status=CheckStatus.NEEDS_REVIEW)
    decide = address("decide_check", check)
    asked = factories.long_ago(staff).post(decide, {"passed": "yes", "reason": "Another country."})
    check.refresh_from_db()
    assert check.status == CheckStatus.NEEDS_REVIEW

    confirmed_and_resumed(staff, asked, who(staff))

    check.refresh_from_db()
    assert (check.status, check.reason) == (CheckStatus.PASSED, "Another country.")


def test_a_check_that_is_run_again_keeps_who_decided_it_before(staff):
    application = factories.a_reviewed_application(**answered.LISTED)
    check = application.submission.checks.get(status=CheckStatus.NEEDS_REVIEW)
    staff.post(address("decide_check", check), {"passed": "no", "reason": "The same birth date."})
    staff.post(address("check_again", check))
    factories.settle_reviews()

    check.refresh_from_db()
    assert check.decided_by is None
    act = CaseAct.objects.get(decided_check=check, kind="decide_check")
    assert (act.reviewer.person, act.outcome) == (who(staff), "failed")
    shown = body(staff.get(reverse("agreements:case", args=[application.public_id])))
    assert f"{who(staff).name} decided “failed”: The same birth date." in shown


@pytest.mark.parametrize("name", ["clear", "hold"])
def test_a_case_that_has_moved_on_says_so_before_anybody_types(staff, name):
    press = address(name, factories.an_application(ApplicationStatus.DECLINED))

    text = body(staff.get(press))
    posted = body(staff.post(press, {"note": "Spoke to them."}))

    assert "The status is now “Declined”." in text
    assert "lede" not in text
    assert '<form method="post" novalidate>' not in text
    # The note typed in the meantime is kept.
    assert name == "clear" or "Spoke to them.</textarea>" in posted


@pytest.mark.parametrize("name", ["clear", "hold"])
def test_who_may_not_decide_is_told_before_they_press(client, name):
    application = factories.a_reviewed_application(**answered.HIGH)
    colleague = factories.one_of_staff(Role.COMPLIANCE)
    factories.join(application.business, colleague, Role.VIEWER)
    Membership.objects.filter(user=colleague, business=application.business).delete()
    factories.signed_in(client, colleague)

    case = body(client.get(reverse("agreements:case", args=[application.public_id])))
    page = body(client.get(address(name, application)))

    for text in (case, page):
        assert "You used to belong to this business" in text
    assert "<button" not in page.partition('<main id="main"')[2].partition("</main>")[0]
    assert client.post(address(name, application), {"note": "No."}).status_code == 403


def who(client):
    return User.objects.get(pk=client.session["_auth_user_id"])


PANELS = ["_answers", "_score", "_checks", "_ownership"]


@pytest.mark.parametrize("changes", [{}, answered.HIGH, answered.LISTED, answered.NOT_FOUND])
def test_the_panels_of_the_case_page_can_be_rendered(changes, django_assert_max_num_queries):
    application = factories.a_reviewed_application(**changes)

    with django_assert_max_num_queries(7):
        context = application_panel.application_panel(factories.fresh(application))

    rendered = {name: render_to_string(f"onboarding/{name}.html", context) for name in PANELS}
    assert application.assessment.score in rendered["_score"]
    assert "Mara Ellwood" in rendered["_ownership"]
    assert "Simulated" in rendered["_checks"]
    assert "style=" not in "".join(rendered.values())


def test_the_panels_can_be_rendered_before_anything_was_checked():
    context = application_panel.application_panel(
        factories.fresh(factories.an_application(ApplicationStatus.SUBMITTED))
    )

    for name in PANELS:
        assert render_to_string(f"onboarding/{name}.html", context)


def test_the_falls_of_the_score_add_up():
    score = application_panel.application_panel(factories.a_reviewed_application(**answered.HIGH))[
        "score"
    ]

    last = score.falls[-1]
    total = float(last.start) + float(last.width)
    assert f"{total:.2f}" == score.assessment.score


@pytest.mark.parametrize(
    ("at", "presses"),
    [
        (
            ApplicationStatus.SUBMITTED,
            ["decline", "hold", "return", "ask", "clear", "decide_authority"],
        ),
        (ApplicationStatus.HELD, ["decline", "ask", "release"]),
        (ApplicationStatus.CLEARED, ["decline", "hold", "return", "ask"]),
        (ApplicationStatus.RETURNED, ["ask"]),
        (ApplicationStatus.EXECUTED, []),
    ],
)
def test_only_what_the_table_allows_is_offered(at, presses):
    open_ = [one.route for one in case_decisions.DECISIONS if at in one.open_in]
    assert open_ == [f"onboarding:{name}" for name in presses]
