"""App config, what the passing of time does to payroll runs."""

from django.apps import AppConfig


class PayrollConfig(AppConfig):
    """Payroll runs."""

    name = "api.resources.payroll"
    label = "payroll"

    def ready(self) -> None:
        from api.resources.disbursements import DISBURSEMENT_STATUSES
        from api.resources.payroll import lifecycle
        from api.resources.payroll.runs import RUNS
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register("payroll.PayrollRun", lifecycle.RUN_LIFECYCLE, DISBURSEMENT_STATUSES)
        messages.register(lifecycle.SENTENCES)
        schedule.every_minute("payroll.settle_due", RUNS.settle_due)
