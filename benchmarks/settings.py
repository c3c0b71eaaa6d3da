"""The site's settings with the peer libraries, and a database connection for inserting rows."""

import os

from console import env
from console.settings import *  # noqa: F403, TID251  # all of them: the same site
from console.settings import DATABASES, INSTALLED_APPS, STORAGES  # noqa: TID251

INSTALLED_APPS = [*INSTALLED_APPS, "rest_framework_api_key", "knox"]
REST_KNOX = {"AUTO_REFRESH": False}
ROOT_URLCONF = "benchmarks.urls"
# No collectstatic here.
_files = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
STORAGES = STORAGES | {"staticfiles": _files}
if "FILL_URL" in os.environ:
    _fill = env.database(os.environ["FILL_URL"])
    # No triggers and foreign-key checks.
    _fill["OPTIONS"] = {"options": "-c session_replication_role=replica"}
    DATABASES = DATABASES | {"fill": _fill}
