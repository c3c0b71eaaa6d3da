"""The site's own settings, with the two peers beside it."""

from console.settings import *  # noqa: F403, TID251  # all of them: the same site
from console.settings import INSTALLED_APPS as OURS  # noqa: TID251

INSTALLED_APPS = [*OURS, "rest_framework_api_key", "knox"]
REST_KNOX = {"AUTO_REFRESH": False}
