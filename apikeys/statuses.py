"""How a grant, a key and a request for a network are shown, status by status."""

from apikeys.lifecycle import GrantStatus, KeyStatus, NetworkStatus
from console.core.status_table import BusinessText, StatusRow, StepPlace

# The business reads these at the stage of its sandbox.
GRANT: dict[str, StatusRow] = {
    GrantStatus.CLOSED: StatusRow(
        "neutral",
        BusinessText("Once the pack is executed and every check has passed"),
        step=StepPlace(0, "todo"),
    ),
    GrantStatus.OPEN: StatusRow(
        "ok", BusinessText("Your sandbox is open: create the first key"), step=StepPlace(0)
    ),
    GrantStatus.SUSPENDED: StatusRow(
        "danger", BusinessText("Suspended for now"), step=StepPlace(0, "problem")
    ),
}
KEY: dict[str, StatusRow] = {
    KeyStatus.ACTIVE: StatusRow("ok"),
    KeyStatus.ROTATING: StatusRow("accent"),
    KeyStatus.DISABLED: StatusRow("warning"),
    KeyStatus.REVOKED: StatusRow("danger"),
    KeyStatus.EXPIRED: StatusRow("quiet"),
}
NETWORK_REQUEST: dict[str, StatusRow] = {
    NetworkStatus.REQUESTED: StatusRow("accent"),
    NetworkStatus.GRANTED: StatusRow("ok"),
    NetworkStatus.DECLINED: StatusRow("danger"),
}
