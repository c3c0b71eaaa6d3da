"""The WSGI entry point: the console and the API."""

import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

application = get_wsgi_application()
# Django would import the pages with the first request, in each web process anew.
import_module(settings.ROOT_URLCONF)
