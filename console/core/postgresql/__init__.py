"""Django's PostgreSQL backend, with connections that stop waiting."""
