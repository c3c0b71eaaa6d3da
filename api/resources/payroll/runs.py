"""Create and settle payroll runs."""

from api.sandbox.disbursing import Disbursing
from api.sandbox.models import PayrollRun

RUNS = Disbursing(PayrollRun, "payroll_run")
