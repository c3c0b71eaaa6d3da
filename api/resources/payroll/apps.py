"""App config, what the passing of time does to payroll runs."""

from django.apps import AppConfig


class PayrollConfig(AppConfig):
    """Payroll runs."""

    name = "api.resources.payroll"
    label = "payroll"

    def ready(self) -> None:
        from api.sandbox.disbursements import PAYROLL_RUNS
        from api.sandbox.lifecycle import DISBURSEMENT_STATUSES, RUN_LIFECYCLE, SENTENCES
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register("sandbox.PayrollRun", RUN_LIFECYCLE, DISBURSEMENT_STATUSES)
        messages.register(SENTENCES)
        schedule.every_minute("payroll.settle_due", PAYROLL_RUNS.settle_due)
