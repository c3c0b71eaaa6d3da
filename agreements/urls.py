"""Routes of agreements: the business's pack, our staff's case page, and public verification."""

from django.urls import path

from agreements import downloads
from agreements.casework import case_views, next_case
from agreements.our_company import company_views
from agreements.sealing import instruction_views
from agreements.signing import pack_views, reader_views, sign_views
from agreements.verification import verify_views
from onboarding.review import decision_pages

app_name = "agreements"

_OWN = "b/<str:business_id>/agreements/"
_DOCUMENT = f"{_OWN}documents/<str:document_id>/"
_CASE = "review/<str:application_id>/"

urlpatterns = [
    path("verify/", verify_views.verify, name="verify"),
    path("verify/withdrawn.<str:kind>", verify_views.withdrawn_seals, name="withdrawn_seals"),
    path("verify/<str:name>", instruction_views.instructions, name="instructions"),
    # For the business
    path(_OWN, pack_views.pack, name="pack"),
    path(f"{_OWN}progress/", pack_views.progress, name="progress"),
    path(f"{_OWN}confirm-name/", pack_views.confirm_name, name="confirm_name"),
    path(f"{_OWN}sign/", sign_views.sign, name="sign"),
    path(_DOCUMENT, reader_views.document, name="document"),
    path(f"{_DOCUMENT}accept/", reader_views.accept, name="accept"),
    path(f"{_DOCUMENT}take-back/", reader_views.take_back, name="take_back"),
    path(f"{_DOCUMENT}review-copy/", downloads.review_copy, name="review_copy"),
    path(f"{_DOCUMENT}sealed/", downloads.sealed_copy, name="sealed_copy"),
    path(f"{_OWN}<str:number>/files/<str:name>/", downloads.file, name="file"),
    # For our staff
    path("our-company/", company_views.our_company, name="our_company"),
    path("our-company/propose/", company_views.propose_company, name="propose_company"),
    path("review/packs/", case_views.packs, name="packs"),
    path("review/next/", next_case.next_case, name="next_case"),
    path(_CASE, case_views.case, name="case"),
    *decision_pages.routes(app_name),
    path(f"{_CASE}documents/<str:document_id>/", case_views.case_document, name="case_document"),
    path(
        f"{_CASE}documents/<str:document_id>/review-copy/",
        downloads.case_review_copy,
        name="case_review_copy",
    ),
    path(
        f"{_CASE}documents/<str:document_id>/sealed/",
        downloads.case_sealed_copy,
        name="case_sealed_copy",
    ),
    path(f"{_CASE}<str:number>/files/<str:name>/", downloads.case_file, name="case_file"),
]
