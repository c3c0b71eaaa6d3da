"""How the access of a business is shown, status by status."""

from console.accounts.lifecycle import Access
from console.core.status_table import StatusRow

BUSINESS: dict[str, StatusRow] = {
    Access.ACTIVE: StatusRow("ok"),
    Access.SUSPENDED: StatusRow("warning"),
    Access.CLOSED: StatusRow("quiet"),
}
