"""Where a payroll run is, and what the log says of it."""

from api.sandbox.lifecycle import DISBURSEMENT_LIFECYCLE

RUN_LIFECYCLE = DISBURSEMENT_LIFECYCLE
SENTENCES = {
    "payroll_run.created": "{actor} asked for the payroll run {subject}",
    "payroll_run.completed": "{actor} completed the payroll run {subject}",
    "payroll_run.failed": "{actor} failed the payroll run {subject}",
}
