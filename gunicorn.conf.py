"""How gunicorn serves the console and the API, behind a proxy: see docs/operations.md.

Gunicorn reads this file by itself where it is started, in this folder: `python -m gunicorn`.
"""

import os

from django.conf import settings

from console.launch.programs import STOP_SECONDS

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

wsgi_app = "console.wsgi"
bind = f"127.0.0.1:{settings.PORT}"
worker_class = "console.gunicorn_worker.QuietThreadWorker"
workers = settings.WEB_PROCESSES
threads = settings.WEB_THREADS
# Loaded once: the workers share its memory, and one that ended is replaced at once.
preload_app = True

graceful_timeout = STOP_SECONDS
# The proxy lets go of an idle connection before (keepalive_timeout in nginx).
keepalive = 10
# As much as nginx passes on.
limit_request_line = 8190

# Only console.core.addresses believes proxies, those of TRUSTED_PROXIES.
forwarded_allow_ips = ""
# The console logs each request. Gunicorn's warnings quote what was sent, which may hold a token.
loglevel = "error"
control_socket_disable = True
