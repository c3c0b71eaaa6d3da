"""URL configuration: where each package is mounted."""

from django.urls import include, path

urlpatterns = [
    # First, so that API requests are not matched against every page.
    path("", include("api.v1.urls")),
    path("", include("console.shell.urls")),
    path("", include("console.accounts.urls")),
    path("", include("console.publishing.urls")),
    path("", include("console.governance.urls")),
    path("", include("onboarding.urls")),
    path("", include("onboarding.restrictions.urls")),
    path("", include("agreements.urls")),
    path("", include("apikeys.urls")),
    path("", include("api.urls")),
]

handler400 = "console.shell.views.errors.bad_request"
handler403 = "console.shell.views.errors.forbidden"
handler404 = "console.shell.views.errors.not_found"
handler500 = "console.shell.views.errors.broken"
