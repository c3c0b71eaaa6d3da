"""App config: who puts a version of the file in use."""

from django.apps import AppConfig


class FinancingConfig(AppConfig):
    """The credit that is offered."""

    name = "api.resources.financing"
    label = "financing"

    def ready(self) -> None:
        from api.sandbox import commercial_files, financing

        commercial_files.register(financing.FILES)
