"""The WSGI entry point: the console and the API."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import reverse

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

application = get_wsgi_application()
# Django would import the pages with the first request, in each web process separately.
reverse(settings.LOGIN_REDIRECT_URL)
