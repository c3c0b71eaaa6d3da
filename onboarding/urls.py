"""URLs of onboarding: the business's questionnaire, and the reviewers' queue."""

from django.urls import path

from onboarding.evidence import business_views, staff_views
from onboarding.intake import access_views, information_views, overview_views
from onboarding.review import (
    casework_views,
    decision_pages,
    possible_match_views,
    provider_views,
    request_views,
    review_views,
    sanctions_list_views,
    waiver_views,
)

app_name = "onboarding"

urlpatterns = [
    path("b/<str:business_id>/access/", overview_views.overview, name="access"),
    path("b/<str:business_id>/access/start/", overview_views.start, name="start"),
    path("b/<str:business_id>/access/check/", access_views.check, name="check"),
    path("b/<str:business_id>/access/lookup/", access_views.lookup, name="lookup"),
    path("b/<str:business_id>/access/submit/", access_views.submit, name="submit"),
    path("b/<str:business_id>/access/submitted/", access_views.submitted, name="submitted"),
    path("b/<str:business_id>/access/withdraw/", access_views.withdraw, name="withdraw"),
    path(
        "b/<str:business_id>/access/signatory/invite/",
        access_views.invite_signatory,
        name="invite_signatory",
    ),
    path("b/<str:business_id>/access/documents/", business_views.documents, name="documents"),
    path("b/<str:business_id>/access/documents/upload/", business_views.upload, name="upload"),
    path(
        "b/<str:business_id>/access/documents/<str:file_id>/remove/",
        business_views.withdraw_document,
        name="withdraw_document",
    ),
    path("b/<str:business_id>/access/requests/", information_views.requests, name="requests"),
    path(
        "b/<str:business_id>/access/requests/questions/<str:item_id>/",
        information_views.reply,
        name="reply",
    ),
    path(
        "b/<str:business_id>/access/requests/<str:information_request_id>/send/",
        information_views.send_answers,
        name="send_answers",
    ),
    path("b/<str:business_id>/access/<str:section_key>/", access_views.section, name="section"),
    path(
        "b/<str:business_id>/access/<str:section_key>/autosave/",
        access_views.autosave,
        name="autosave",
    ),
    path("callbacks/checks/<str:provider_name>/", provider_views.result_ready, name="result_ready"),
    path("review/", review_views.review_queue, name="review_queue"),
    path("review/sanctions-lists/", sanctions_list_views.overview, name="sanctions_lists"),
    path("review/checks/<str:check_id>/decide/", review_views.decide_check, name="decide_check"),
    path(
        "review/checks/<str:check_id>/matches/",
        possible_match_views.possible_matches_of,
        name="possible_matches",
    ),
    path(
        "review/checks/<str:check_id>/matches/<str:match_id>/",
        possible_match_views.decide_match,
        name="decide_match",
    ),
    path("review/checks/<str:check_id>/waive/", waiver_views.propose, name="waive_check"),
    path("review/checks/<str:check_id>/waive/decide/", waiver_views.decide, name="decide_waiver"),
    path("review/checks/<str:check_id>/again/", review_views.check_again, name="check_again"),
    path("review/files/<str:file_id>/", staff_views.evidence_file, name="evidence_file"),
    path(
        "review/files/<str:file_id>/content/",
        staff_views.evidence_content,
        name="evidence_content",
    ),
    path(
        "review/files/<str:file_id>/download/",
        staff_views.evidence_download,
        name="evidence_download",
    ),
    path(
        "review/requests/<str:information_request_id>/reopen/",
        request_views.reopen_request,
        name="reopen_request",
    ),
    path(
        "review/requests/<str:information_request_id>/close/",
        request_views.close_request,
        name="close_request",
    ),
    path("review/<str:application_id>/note/", casework_views.add_note, name="add_note"),
    path("review/<str:application_id>/assign/", casework_views.assign, name="assign"),
    *decision_pages.routes(app_name),
]
