"""The WSGI entry point: the console and the API."""

import ctypes
import os
import signal

_PR_SET_PDEATHSIG = 1
if hasattr(ctypes.CDLL(None), "prctl"):
    # The server's workers must not outlive a main process that was killed.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

from django.core.wsgi import get_wsgi_application  # noqa: E402

application = get_wsgi_application()
