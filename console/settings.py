"""All settings, read once from the environment.

Safe by default: a missing variable has its production value. `make run` sets the rest. The `#:`
comment above or next to a variable is its description in docs/settings.md.
"""

import tomllib
from email.utils import formataddr
from pathlib import Path

from console import env, installed, openapi_settings

ROOT = Path(__file__).resolve().parent.parent
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

# Safety
DEBUG = False
#: Signs sessions, links and recovery codes. A new one ends all of them.
SECRET_KEY = env.text("SECRET_KEY")
#: Encryption keys, newest first: `2:<base64>,1:<base64>`, 32 bytes each, numbered 1 to 255.
VAULT_KEYS = env.keys("VAULT_KEYS")
KEY_PEPPERS = env.keys("KEY_PEPPER")  #: Keys of the digests of API secrets, as `VAULT_KEYS`.
#: 1 loads demo data with published passwords and simulated outside parties.
DEMO = env.flag("DEMO", default=False)
#: Who answers which kind of check: `registry=...,screening=...,signatory=...`; see
#: docs/operations.md. `reviewer` means that a reviewer decides.
CHECK_PROVIDERS = env.providers("CHECK_PROVIDERS", simulated=DEMO)
HTTPS = env.flag("HTTPS", default=True)  #: Secure cookies and HSTS. Use 0 only on loopback.
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", ".localhost,127.0.0.1,[::1]")  #: Names we answer to.
#: Networks of the proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.
TRUSTED_PROXIES = env.networks("TRUSTED_PROXIES")
PORT = env.number("PORT", 8000)  #: The port on which the web server listens.
WEB_BIND = env.text("WEB_BIND", "127.0.0.1")  #: The address on which the web server listens.
BASE_URL = env.addresses("BASE_URL", f"http://localhost:{PORT}")  #: The address in links.
#: The origin of the payment pages, on a host of its own.
CHECKOUT_ORIGIN = env.origin("CHECKOUT_ORIGIN", f"http://checkout.localhost:{PORT}")
#: The name of the console on pages, in e-mails and in authenticator apps.
CONSOLE_NAME = env.text("CONSOLE_NAME", "Access Console")
#: The company's colour on pages and payment pages, such as `#0b5cad`, readable on white.
CONSOLE_COLOUR = env.colour("CONSOLE_COLOUR")
#: The path of the company's logo, an SVG file that is readable on white and on near black.
CONSOLE_LOGO = env.picture("CONSOLE_LOGO")

# Apps and pages
INSTALLED_APPS, MIDDLEWARE = installed.APPS, installed.MIDDLEWARE
ROOT_URLCONF, WSGI_APPLICATION = "console.urls", "console.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "console.shell.context.frame",
            ],
            "libraries": {"ui": "console.shell.templatetags.ui"},
            "builtins": ["console.shell.templatetags.ui"],
        },
    }
]
FORM_RENDERER = "console.shell.forms.Renderer"

# Storage
#: `postgres://site:...@host/console?sslmode=verify-full`, with a role that owns no table.
_DATABASE = env.database(env.text("DATABASE_URL"))
DATABASES = {"default": _DATABASE | {"ATOMIC_REQUESTS": False, "CONN_HEALTH_CHECKS": True}}
#: The same with the role that owns the tables. Web, worker, beat and deliver refuse it.
DATABASE_OWNER_URL = env.text("DATABASE_OWNER_URL", "")
#: Seconds for connecting to PostgreSQL, and for each statement of a web process.
DB_TIMEOUT = env.number("DB_TIMEOUT", 10)
STATEMENT_SECONDS = 0  # gunicorn.conf.py sets it; jobs, commands and migrations may take longer
#: A PEM file of certificate authorities for the OpenID provider, the bucket and the broker, instead
#: of the public ones, such as `/etc/ssl/certs/ca-certificates.crt`.
CA_FILE = env.authorities("CA_FILE")
#: Redis or Valkey. It wakes workers; the queue is PostgreSQL.
BROKER_URL = env.broker("BROKER_URL", authorities=CA_FILE)
WEB_PROCESSES = env.number("WEB_CONCURRENCY", 2, least=1)  #: Web processes.
#: Threads of each web process, at least 8: uploads to `/verify/` may occupy six of them.
WEB_THREADS = max(8, env.number("WEB_THREADS", 8))
WORKER_PROCESSES = env.number("WORKERS", 2, least=1)  #: Processes of the part `worker`.
#: The most connections of a web process, at least one more than its threads. 0: no pool.
DB_POOL = env.number("DB_POOL", 0)
if DB_POOL:
    most = max(DB_POOL, WEB_THREADS + 1)  # one more for the request log's writer
    _DATABASE["OPTIONS"]["pool"] = {"min_size": 1, "max_size": most, "timeout": DB_TIMEOUT}
    # Give up soon: the next request tries again, while retries would wait ever longer.
    _DATABASE["OPTIONS"]["pool"]["reconnect_timeout"] = DB_TIMEOUT
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
#: Fonts, static files and scratch files; without `DOCUMENT_STORE` also the documents. `root` may
#: use only a folder that it owns.
DATA_DIR = env.folder("DATA_DIR", ROOT / "var")
MEDIA_ROOT, PKI_DIR = DATA_DIR / "blobs", DATA_DIR / "pki"
#: The bucket's access key and secret, as `key:secret`. Empty: those of the machine's role.
_DOCUMENT_KEY = env.text("DOCUMENT_STORE_KEY", "")
#: The bucket of the documents, which every host must reach: `s3://bucket/prefix`, perhaps with
#: `?endpoint=https://...&region=...`. Empty: a folder in `DATA_DIR`, for a single host.
_DOCUMENTS = env.document_store("DOCUMENT_STORE", key=_DOCUMENT_KEY, authorities=CA_FILE)

# Users and sessions
AUTH_USER_MODEL, SESSION_ENGINE = "accounts.User", "console.accounts.session_store"
LOGIN_URL, LOGIN_REDIRECT_URL = "accounts:sign_in", "shell:home"
_HASHERS = "Argon2PasswordHasher", "PBKDF2PasswordHasher"
PASSWORD_HASHERS = [f"django.contrib.auth.hashers.{name}" for name in _HASHERS]
PASSWORD_MIN_LENGTH = 15
_CHECKS = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_CHECKS}.MinimumLengthValidator", "OPTIONS": {"min_length": PASSWORD_MIN_LENGTH}},
    {"NAME": f"{_CHECKS}.CommonPasswordValidator"},
    {"NAME": "console.accounts.password_strength.GuessableValidator"},
]
PASSWORD_RESET_TIMEOUT, SESSION_COOKIE_AGE = 3600, 24 * 3600
#: The OpenID provider of our staff, exactly as it names itself (`issuer`), such as
#: `https://login.example.com`. `off`: none.
OIDC_ISSUER = env.issuer("OIDC_ISSUER", "off")
OIDC_CLIENT_ID = env.text("OIDC_CLIENT_ID", "")  #: The console's name at that provider.
OIDC_CLIENT_SECRET = env.text("OIDC_CLIENT_SECRET", "")  #: The console's secret there.
#: What the console asks the provider for; add `offline_access` if it needs it for refresh tokens.
OIDC_SCOPE = env.text("OIDC_SCOPE", "openid email profile")
#: 1 for a provider that never says `email_verified`, such as Microsoft Entra ID: the console takes
#: the addresses that it names for confirmed ones. Anybody whose address an administrator or the
#: person sets there can then take over a staff account with that address. Set it only if the
#: provider is your own tenant, and only its administrators set addresses.
OIDC_TRUST_EMAIL = env.flag("OIDC_TRUST_EMAIL", default=False)
#: Groups that give staff roles: `group=role,group=role`.
OIDC_ROLE_GROUPS = [tuple(one.split("=", 1)) for one in env.words("OIDC_ROLE_GROUPS")]
#: 0 lets staff sign in through the provider only.
STAFF_PASSWORDS = env.flag("STAFF_PASSWORDS", default=True)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_NAME = "__Host-session" if HTTPS else "session"
CSRF_COOKIE_NAME = "__Host-csrf" if HTTPS else "csrf"
MESSAGE_STORAGE = "console.shell.message_storage.Storage"
CSRF_FAILURE_VIEW, OTP_TOTP_ISSUER = "console.shell.views.errors.csrf_failure", CONSOLE_NAME

# Headers
SECURE_SSL_REDIRECT = SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
# A redirect would hide the mistake from a client that sends its key unencrypted.
SECURE_REDIRECT_EXEMPT = [r"^(sandbox/)?v1(/|$)"]
SECURE_HSTS_SECONDS = 63_072_000 if HTTPS else 0
SECURE_REFERRER_POLICY = SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
X_FRAME_OPTIONS = "DENY"
_NOWHERE = ("default-src", "frame-ancestors", "base-uri", "object-src")
_SELF = ("script-src", "style-src", "img-src", "font-src", "connect-src", "form-action")
_CSP = {**dict.fromkeys(_NOWHERE, ("'none'",)), **dict.fromkeys(_SELF, ("'self'",))}
CONTENT_SECURITY_POLICY = {"DIRECTIVES": _CSP}
DATA_UPLOAD_MAX_MEMORY_SIZE = FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
# The form of 200 owners.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 4000
CLAMAV = env.socket_address("CLAMAV")  #: The ClamAV daemon: `host:port` or a Unix socket.

# Static files and languages
STATIC_URL = "/static/"
STATIC_ROOT = Path(env.text("STATIC_ROOT", f"{DATA_DIR}/static"))  #: The collected static files.
# Fonts are cut at set-up from a package, so they lie beside the collected files.
FONT_DIR = STATIC_ROOT.parent / "fonts"
STATICFILES_DIRS = [ROOT / "static", *([FONT_DIR] if FONT_DIR.is_dir() else [])]
#: The storage class of static files. The tests use one with plain names.
STATICFILES_STORAGE_BACKEND = env.text(
    "STATICFILES_STORAGE", "whitenoise.storage.CompressedManifestStaticFilesStorage"
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "documents": _DOCUMENTS,
    "staticfiles": {"BACKEND": STATICFILES_STORAGE_BACKEND},
}
LANGUAGE_CODE, TIME_ZONE, USE_TZ, USE_I18N = "en-gb", "UTC", True, True
LOCALE_PATHS = [ROOT / "locale"]  # what `makemessages` and `compilemessages` write

# E-mail: shown on a page in demo mode, SMTP otherwise.
_DEMO_MAIL = "console.shell.mail.DemoMailBackend"
EMAIL_BACKEND = _DEMO_MAIL if DEMO else "django.core.mail.backends.smtp.EmailBackend"
EMAIL_HOST = env.text("EMAIL_HOST", "localhost")  #: The SMTP server.
EMAIL_PORT = env.number("EMAIL_PORT", 25)  #: The port of the SMTP server.
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER", "")  #: The user name at the SMTP server.
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD", "")  #: The password of that user.
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", default=False)  #: 1 uses STARTTLS.
EMAIL_TIMEOUT = 10
#: The address for questions, on every page and in every e-mail, to which replies go.
SUPPORT_EMAIL = env.text("SUPPORT_EMAIL", "support@access-console.example" if DEMO else "")
#: The sender of e-mails.
DEFAULT_FROM_EMAIL = env.text(
    "MAIL_FROM", formataddr((CONSOLE_NAME, "no-reply@access-console.example"))
)

# Sealing
#: 1 lets this machine make its own seal, as `make run` does. An installation refuses it.
SELF_MADE_SEAL = env.flag("SELF_MADE_SEAL", default=False)
#: The private key that seals executed documents, as PEM.
SEAL_KEY_FILE = env.text("SEAL_KEY_FILE", "")
SEAL_CERT_FILE = env.text("SEAL_CERT_FILE", "")  #: The certificate of the seal.
SEAL_ROOT_FILE = env.text("SEAL_ROOT_FILE", "")  #: The root it leads to. Former roots may follow.
#: Instead of the file, a key in a device: `/path/to/pkcs11-module.so;token label;key label`.
SEAL_PKCS11 = env.text("SEAL_PKCS11", "")
SEAL_PKCS11_PIN = env.text("SEAL_PKCS11_PIN", "")  #: The PIN of that device's user.
SEAL_LIST_FILE = env.text("SEAL_LIST_FILE", "")  #: The signed list of withdrawn seals.
SEAL_LIST_CERT_FILE = env.text("SEAL_LIST_CERT_FILE", "")  #: The certificate that signs it.
#: Time-stamping authorities. Empty: no time stamps. `simulated` is accepted only with `DEMO=1`.
TSA_URL = env.addresses("TSA_URL", instead="simulated" if DEMO else "")
TSA_ROOT_FILE = env.text("TSA_ROOT_FILE", "")  #: The root certificates of those authorities.

# API
REST_FRAMEWORK = {
    "UNAUTHENTICATED_USER": None,
    "EXCEPTION_HANDLER": "api.exception_handler.handle",
    "DEFAULT_SCHEMA_CLASS": "api.schema.OperationSchema",
    "DATETIME_FORMAT": "%Y-%m-%dT%H:%M:%SZ",  # RFC 3339 in UTC, to the second
}
API_VERSION = "2026-08-29"
API_ROOTS = {"sandbox": "/sandbox/v1", "live": "/v1"}  # base paths of the API
SPECTACULAR_SETTINGS = openapi_settings.spectacular(BASE_URL, API_VERSION, API_ROOTS)

#: Private networks that a live IP allowlist may contain, for demonstrations.
LIVE_NETWORKS_ALLOW_CIDRS = env.networks("LIVE_NETWORKS_ALLOW_CIDRS")
#: `address:port` of the name server for records of checkout domains. Empty: the system's.
DNS_SERVER = env.socket_address("DNS_SERVER")

#: The systems that move live's money, as TOML: see docs/providers.md. Empty: none.
LIVE_PROVIDERS = env.text("LIVE_PROVIDERS", "")

# Company registers
#: The key for Companies House. Empty: UK companies are looked up in GLEIF.
COMPANIES_HOUSE_KEY = env.text("COMPANIES_HOUSE_KEY", "")
#: Companies House, asked about UK companies. `off` switches it off.
COMPANIES_HOUSE_URL = env.service(
    "COMPANIES_HOUSE_URL", "https://api.company-information.service.gov.uk"
)
#: GLEIF, asked about companies of all other countries. `off` switches it off.
GLEIF_URL = env.service("GLEIF_URL", "https://api.gleif.org/api/v1")
#: VIES, asked about EU companies that GLEIF does not know. `off` switches it off.
VIES_URL = env.service("VIES_URL", "https://ec.europa.eu/taxation_customs/vies/rest-api")

# Webhooks
#: Private networks that webhooks may reach, for demonstrations.
WEBHOOK_EGRESS_ALLOW_CIDRS = env.networks("WEBHOOK_EGRESS_ALLOW_CIDRS")
#: 1 accepts webhook endpoints with `http://` and on any port, for demonstrations.
WEBHOOK_ALLOW_HTTP = env.flag("WEBHOOK_ALLOW_HTTP", default=False)
WEBHOOK_PROBE_PAUSE_MS = env.number("WEBHOOK_PROBE_PAUSE_MS", 1000)  #: Pause between test events.
WEBHOOK_LIVE_RATE = env.number("WEBHOOK_LIVE_RATE", 50)  #: Deliveries a second to a live endpoint.
WEBHOOK_SANDBOX_RATE = env.number("WEBHOOK_SANDBOX_RATE", 10)  #: The same for a sandbox endpoint.
#: Time for one attempt. A lost dispatcher's deliveries are resent after four times as long.
WEBHOOK_TIMEOUT_SECONDS = env.number("WEBHOOK_TIMEOUT_SECONDS", 15)
WEBHOOK_EVENT_DAYS = env.number("WEBHOOK_EVENT_DAYS", 30)  #: Days until events are deleted.
#: Days until live attempts are deleted.
WEBHOOK_LIVE_ATTEMPT_DAYS = env.number("WEBHOOK_LIVE_ATTEMPT_DAYS", 30)
#: Days until sandbox attempts are deleted.
WEBHOOK_SANDBOX_ATTEMPT_DAYS = env.number("WEBHOOK_SANDBOX_ATTEMPT_DAYS", 7)

# Sanctions lists
#: Lists to download, such as `ofac=https://...,un=https://...`.
SCREENING_LISTS = dict(one.partition("=")[::2] for one in env.words("SCREENING_LISTS"))
#: Days after which a list that its source did not confirm stops screening.
SCREENING_LIST_DAYS = env.number("SCREENING_LIST_DAYS", 7)
SCREENING_LIST_MB = env.number("SCREENING_LIST_MB", 200)  #: The largest list, unpacked.
#: A yente service at a public address, for the provider `yente` instead of our lists. `off`: none.
SCREENING_URL = env.service("SCREENING_URL", "off")
SCREENING_DATASET = env.text("SCREENING_DATASET", "default")  #: The dataset that yente searches.
SCREENING_KEY = env.text("SCREENING_KEY", "")  #: The key for yente, if it needs one.

# Logs: one JSON object per line; see console.core.logs.
LOGGING_CONFIG = "console.core.logs.configure"
LOGGING = {
    "level": env.level("LOG_LEVEL", "INFO"),  #: The lowest level that is logged.
    "plain": env.flag("LOG_PLAIN", default=False),  #: 1 logs for people instead of JSON.
}

# Figures, traces and error reports
METRICS_PORT = env.number("METRICS_PORT", 0)  #: The port for Prometheus. 0: none.
METRICS_ADDRESS = env.text("METRICS_ADDRESS", "127.0.0.1")  #: The address of that port.
#: Where traces go (OpenTelemetry, OTLP over HTTP), such as `https://collector:4318`.
OTLP_ENDPOINT = env.addresses("OTLP_ENDPOINT")
SENTRY_DSN = env.addresses("SENTRY_DSN")  #: Where error reports go, in Sentry's protocol.

SILENCED_SYSTEM_CHECKS = [
    "security.W021",  # HSTS preload: on with HTTPS, for the whole domain
    "templates.W003",  # `console.shell.templatetags.i18n` is in the place of Django's
]
