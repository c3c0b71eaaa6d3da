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
_ACCESS = "b/<str:business_id>/access/"
_CHECK = "review/checks/<str:check_id>/"
_FILE = "review/files/<str:file_id>/"
_REQUEST = "review/requests/<str:information_request_id>/"

urlpatterns = [
    path(_ACCESS, overview_views.overview, name="access"),
    path(f"{_ACCESS}start/", overview_views.start, name="start"),
    path(f"{_ACCESS}check/", access_views.check, name="check"),
    path(f"{_ACCESS}lookup/", access_views.lookup, name="lookup"),
    path(f"{_ACCESS}submit/", access_views.submit, name="submit"),
    path(f"{_ACCESS}submitted/", access_views.submitted, name="submitted"),
    path(f"{_ACCESS}withdraw/", access_views.withdraw, name="withdraw"),
    path(f"{_ACCESS}signatory/invite/", access_views.invite_signatory, name="invite_signatory"),
    path(f"{_ACCESS}documents/", business_views.documents, name="documents"),
    path(f"{_ACCESS}documents/upload/", business_views.upload, name="upload"),
    path(
        f"{_ACCESS}documents/<str:file_id>/remove/",
        business_views.withdraw_document,
        name="withdraw_document",
    ),
    path(f"{_ACCESS}requests/", information_views.requests, name="requests"),
    path(
        f"{_ACCESS}requests/questions/<str:information_request_id>/",
        information_views.reply,
        name="reply",
    ),
    path(f"{_ACCESS}<str:section_key>/", access_views.section, name="section"),
    path(f"{_ACCESS}<str:section_key>/autosave/", access_views.autosave, name="autosave"),
    path("callbacks/checks/<str:provider_name>/", provider_views.result_ready, name="result_ready"),
    path("review/", review_views.review_queue, name="review_queue"),
    path("review/assign/", casework_views.assign_several, name="assign_several"),
    path("review/sanctions-lists/", sanctions_list_views.overview, name="sanctions_lists"),
    path(f"{_CHECK}decide/", review_views.decide_check, name="decide_check"),
    path(f"{_CHECK}matches/", possible_match_views.possible_matches_of, name="possible_matches"),
    path(
        f"{_CHECK}matches/<str:match_id>/", possible_match_views.decide_match, name="decide_match"
    ),
    path(f"{_CHECK}waive/", waiver_views.propose, name="waive_check"),
    path(f"{_CHECK}waive/decide/", waiver_views.decide, name="decide_waiver"),
    path(f"{_CHECK}again/", review_views.check_again, name="check_again"),
    path(_FILE, staff_views.evidence_file, name="evidence_file"),
    path(f"{_FILE}content/", staff_views.evidence_content, name="evidence_content"),
    path(f"{_FILE}download/", staff_views.evidence_download, name="evidence_download"),
    path(f"{_REQUEST}reopen/", request_views.reopen_request, name="reopen_request"),
    path(f"{_REQUEST}close/", request_views.close_request, name="close_request"),
    path("review/<str:application_id>/note/", casework_views.add_note, name="add_note"),
    path("review/<str:application_id>/assign/", casework_views.assign, name="assign"),
    path(
        "review/<str:application_id>/owners/<str:kind>/",
        casework_views.owners_file,
        name="owners_file",
    ),
    *decision_pages.routes(app_name),
]
