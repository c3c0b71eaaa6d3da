"""Create and settle payroll runs."""

from api.resources.disbursing import Disbursing
from api.resources.payroll.models import PayrollRun

RUNS = Disbursing(PayrollRun, "payroll_run")
