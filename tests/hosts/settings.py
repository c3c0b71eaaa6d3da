"""The settings of the test's hosts: demo mode, but with e-mails sent by SMTP."""

from console.settings import *  # noqa: F403, TID251

EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
