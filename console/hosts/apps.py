"""App config: registers what hosts must share, and starts the reports of parts."""

from functools import partial
from typing import Any

from celery.signals import beat_init, worker_ready
from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class HostsConfig(AppConfig):
    name = "console.hosts"
    label = "hosts"

    def ready(self) -> None:
        from console.audit import messages
        from console.hosts import reports, shared_values
        from console.observability import probes

        messages.register(
            {"installation.values_added": _("{actor} added to what all hosts must share")}
        )
        for setting in shared_values.KEYS:
            shared_values.register(setting, partial(shared_values.of_keys, setting))
        shared_values.register(shared_values.SECRET_KEY, shared_values.of_secret_key)
        shared_values.register(shared_values.STORE, shared_values.of_store)
        probes.register_requirement("installation", shared_values.obstacle)
        probes.register_warning("clock", reports.clock_obstacle)
        worker_ready.connect(_report_worker, weak=False)
        beat_init.connect(_report_beat, weak=False)


def _report_worker(**_said: Any) -> None:
    from console.hosts import reports

    reports.start("worker")


def _report_beat(**_said: Any) -> None:
    from console.hosts import reports

    reports.start("beat")
