"""The WSGI entry point: the console, and the API's gateway beside it in the same process."""

import ctypes
import os
import signal

_PR_SET_PDEATHSIG = 1
if hasattr(ctypes.CDLL(None), "prctl"):
    # The server's workers must not outlive a main process that was killed.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.utils.module_loading import import_string  # noqa: E402

console = get_wsgi_application()
# Named by string: the console may not import the packages above it.
application = import_string("api.wsgi.beside")(console)
