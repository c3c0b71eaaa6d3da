"""Create and settle payroll runs."""

from api.resources import announcing
from api.resources.disbursing import Disbursing
from api.resources.payroll.models import PayrollRun
from console.accounts.actors import Actor


def _tell(run: PayrollRun, to: str, by: Actor) -> None:
    if to == "created":
        announcing.announce(run, "payroll_run.created", by=by)
    else:
        announcing.announce(run, f"payroll_run.{to}", by=by)


RUNS = Disbursing(PayrollRun, _tell)
