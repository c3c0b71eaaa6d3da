"""Routes of agreements: a business's pack, the case page of our staff, and the public check."""

from django.urls import path

from agreements.views import case, decisions, downloads, evidence, pack, reader, signing, verify

app_name = "agreements"

_OWN = "b/<str:business_id>/agreements/"
_PAPER = f"{_OWN}documents/<str:document_id>/"
_CASE = "review/<str:application_id>/"

urlpatterns = [
    path("verify/", verify.verify, name="verify"),
    path("verify/withdrawn.<str:kind>", verify.withdrawn_seals, name="withdrawn_seals"),
    path("verify/<str:name>", evidence.instructions, name="instructions"),
    # A business's own
    path(_OWN, pack.pack, name="pack"),
    path(f"{_OWN}progress/", pack.progress, name="progress"),
    path(f"{_OWN}sign/", signing.sign, name="sign"),
    path(_PAPER, reader.document, name="document"),
    path(f"{_PAPER}accept/", reader.accept, name="accept"),
    path(f"{_PAPER}take-back/", reader.take_back, name="take_back"),
    path(f"{_PAPER}review-copy/", downloads.review_copy, name="review_copy"),
    path(f"{_PAPER}sealed/", downloads.sealed_copy, name="sealed_copy"),
    path(f"{_OWN}<str:number>/files/<str:name>/", downloads.file, name="file"),
    # Our staff's
    path("review/packs/", case.packs, name="packs"),
    path(_CASE, case.case, name="case"),
    path(f"{_CASE}approve/", decisions.approve, name="approve"),
    path(f"{_CASE}send-back/", decisions.send_back, name="send_back"),
    path(f"{_CASE}countersign/", decisions.countersign, name="countersign"),
    path(f"{_CASE}retry/", decisions.retry, name="retry"),
    path(f"{_CASE}documents/<str:document_id>/", case.case_document, name="case_document"),
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
