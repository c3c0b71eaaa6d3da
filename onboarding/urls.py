"""Routes of onboarding: the questionnaire of a business, and the reviewers' queue."""

from django.urls import path

from onboarding.views import access, review

app_name = "onboarding"

urlpatterns = [
    path("b/<str:business_id>/access/", access.overview, name="access"),
    path("b/<str:business_id>/access/start/", access.start, name="start"),
    path("b/<str:business_id>/access/check/", access.check, name="check"),
    path("b/<str:business_id>/access/submit/", access.submit, name="submit"),
    path("b/<str:business_id>/access/submitted/", access.submitted, name="submitted"),
    path("b/<str:business_id>/access/withdraw/", access.withdraw, name="withdraw"),
    path(
        "b/<str:business_id>/access/signatory/invite/",
        access.invite_signatory,
        name="invite_signatory",
    ),
    path("b/<str:business_id>/access/<str:section_key>/", access.section, name="section"),
    path(
        "b/<str:business_id>/access/<str:section_key>/autosave/", access.autosave, name="autosave"
    ),
    path("review/", review.review_queue, name="review_queue"),
    path("review/checks/<str:check_id>/decide/", review.decide_check, name="decide_check"),
    path("review/checks/<str:check_id>/again/", review.check_again, name="check_again"),
    path("review/<str:application_id>/clear/", review.clear, name="clear"),
    path("review/<str:application_id>/return/", review.return_for_changes, name="return"),
    path("review/<str:application_id>/hold/", review.hold, name="hold"),
    path("review/<str:application_id>/release/", review.release, name="release"),
    path("review/<str:application_id>/decline/", review.decline, name="decline"),
]
