"""Pages about the API, in the console. The API's own addresses are in its operation table."""

from django.urls import path

from api.reference import openapi_view, problem_pages

app_name = "api"

urlpatterns = [
    path("docs/openapi.json", openapi_view.contract, name="openapi"),
    path("docs/problems/", problem_pages.problems, name="problems"),
    # Without a slash at its end: this is the `type` of a problem, letter for letter.
    path("docs/problems/<slug:slug>", problem_pages.problem, name="problem"),
]
