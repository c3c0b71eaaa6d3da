"""Permissions, and the roles that grant them, in one table.

Pages, buttons, tests and the documentation all use `GRANTS`; nothing else decides.
"""

from enum import StrEnum, auto

from django.db import models
from django.utils.translation import gettext_lazy as _


class Permission(StrEnum):
    """One thing that a user may be allowed to do."""

    # For members of one business
    BUSINESS_VIEW = auto()
    BUSINESS_EDIT = auto()
    MEMBER_MANAGE = auto()
    APPLICATION_VIEW = auto()
    APPLICATION_ANSWER = auto()
    APPLICATION_SUBMIT = auto()
    PACK_VIEW = auto()
    PACK_READ = auto()
    PACK_SIGN = auto()
    PRODUCT_VIEW = auto()
    KEY_VIEW = auto()
    KEY_ISSUE = auto()
    KEY_REVOKE = auto()
    NETWORK_EDIT = auto()
    SIGNING_EDIT = auto()
    WEBHOOK_VIEW = auto()
    WEBHOOK_EDIT = auto()
    CHECKOUT_EDIT = auto()
    GO_LIVE = auto()
    # For staff, in every business
    REVIEW_VIEW = auto()
    EVIDENCE_VIEW = auto()
    CASE_NOTE = auto()
    # What compliance writes about a case or business, because it may tell of a suspicion.
    CONFIDENTIAL_VIEW = auto()
    APPLICATION_CLEAR = auto()
    APPLICATION_RETURN = auto()
    APPLICATION_HOLD = auto()
    APPLICATION_DECLINE = auto()
    CHECK_DECIDE = auto()
    APPROVE_COMPLIANCE = auto()
    APPROVE_COMMERCIAL = auto()
    APPROVE_LEGAL = auto()
    PACK_COUNTERSIGN = auto()
    PACK_OPERATE = auto()
    ACCOUNT_MANAGE = auto()
    PRODUCT_WITHDRAW = auto()
    GO_LIVE_PROPOSE = auto()
    GO_LIVE_DECIDE = auto()
    # Versioned files: proposing and publishing a version need two different people.
    EDITION_PROPOSE = auto()
    EDITION_PUBLISH = auto()
    TEMPLATE_PROPOSE = auto()
    TEMPLATE_PUBLISH = auto()
    PRICE_LIST_PROPOSE = auto()
    PRICE_LIST_PUBLISH = auto()
    RESTRICTION_CHANGE = auto()
    ACCESS_SUSPEND = auto()
    ACCESS_CLOSE = auto()
    NETWORK_DECIDE = auto()
    LIMIT_RAISE = auto()
    AUDIT_VIEW = auto()
    WORK_VIEW = auto()
    OPERATE = auto()


class Role(models.TextChoices):
    """A role in one business, or on our staff."""

    OWNER = "owner", _("Owner")
    ADMINISTRATOR = "administrator", _("Administrator")
    DEVELOPER = "developer", _("Developer")
    SIGNATORY = "signatory", _("Signatory")
    VIEWER = "viewer", _("Viewer")
    COMPLIANCE = "compliance", _("Compliance")
    HEAD_OF_COMPLIANCE = "head_of_compliance", _("Head of compliance")
    COMMERCIAL = "commercial", _("Commercial")
    LEGAL = "legal", _("Legal")
    HEAD_OF_LEGAL = "head_of_legal", _("Head of legal")
    COUNTERSIGNATORY = "countersignatory", _("Countersignatory")
    ACCOUNT_MANAGER = "account_manager", _("Account manager")
    AUDITOR = "auditor", _("Auditor")
    OPERATOR = "operator", _("Operator")


BUSINESS = (Role.OWNER, Role.ADMINISTRATOR, Role.DEVELOPER, Role.SIGNATORY, Role.VIEWER)
STAFF = tuple(role for role in Role if role not in BUSINESS)

P = Permission
_VIEWER = frozenset({P.BUSINESS_VIEW, P.APPLICATION_VIEW, P.PACK_VIEW, P.PRODUCT_VIEW})
_DEVELOPER = _VIEWER | {
    P.KEY_VIEW,
    P.KEY_ISSUE,
    P.KEY_REVOKE,
    P.WEBHOOK_VIEW,
    P.WEBHOOK_EDIT,
    P.CHECKOUT_EDIT,
}
_SIGNATORY = _VIEWER | {P.PACK_READ, P.PACK_SIGN, P.KEY_VIEW, P.WEBHOOK_VIEW}
_ADMINISTRATOR = _DEVELOPER | {
    P.BUSINESS_EDIT,
    P.MEMBER_MANAGE,
    P.APPLICATION_ANSWER,
    P.APPLICATION_SUBMIT,
    P.PACK_READ,
    P.NETWORK_EDIT,
    P.SIGNING_EDIT,
    P.GO_LIVE,
}
_READER = frozenset({P.REVIEW_VIEW, P.AUDIT_VIEW})
_REVIEWER = _READER | {P.CASE_NOTE}
_COMPLIANCE = _REVIEWER | {
    P.CONFIDENTIAL_VIEW,
    P.EVIDENCE_VIEW,
    P.APPLICATION_CLEAR,
    P.APPLICATION_RETURN,
    P.APPLICATION_HOLD,
    P.APPLICATION_DECLINE,
    P.CHECK_DECIDE,
    P.APPROVE_COMPLIANCE,
    P.RESTRICTION_CHANGE,
    P.ACCESS_SUSPEND,
    P.NETWORK_DECIDE,
    P.LIMIT_RAISE,
}
_LEGAL = _REVIEWER | {P.EVIDENCE_VIEW, P.APPROVE_LEGAL}

GRANTS: dict[Role, frozenset[Permission]] = {
    Role.OWNER: _ADMINISTRATOR | _SIGNATORY,
    Role.ADMINISTRATOR: _ADMINISTRATOR,
    Role.DEVELOPER: _DEVELOPER,
    Role.SIGNATORY: _SIGNATORY,
    Role.VIEWER: _VIEWER,
    Role.COMPLIANCE: _COMPLIANCE | {P.EDITION_PROPOSE},
    Role.HEAD_OF_COMPLIANCE: _COMPLIANCE | {P.EDITION_PUBLISH, P.ACCESS_CLOSE, P.GO_LIVE_DECIDE},
    Role.COMMERCIAL: _REVIEWER | {P.APPROVE_COMMERCIAL, P.PRODUCT_WITHDRAW, P.PRICE_LIST_PROPOSE},
    Role.LEGAL: _LEGAL | {P.TEMPLATE_PROPOSE},
    Role.HEAD_OF_LEGAL: _LEGAL | {P.TEMPLATE_PUBLISH, P.PRICE_LIST_PUBLISH},
    Role.COUNTERSIGNATORY: _REVIEWER | {P.PACK_COUNTERSIGN},
    Role.ACCOUNT_MANAGER: _REVIEWER | {P.ACCOUNT_MANAGE, P.GO_LIVE_PROPOSE},
    Role.AUDITOR: _READER | {P.WORK_VIEW},
    Role.OPERATOR: _REVIEWER | {P.WORK_VIEW, P.OPERATE, P.PACK_OPERATE},
}

# Permissions that bind a business or give somebody access. Its members need a second factor for
# them, requested at first use; without one they can still read and answer.
NEEDS_SECOND_FACTOR = frozenset(
    {
        P.APPLICATION_SUBMIT,
        P.PACK_SIGN,
        P.MEMBER_MANAGE,
        P.KEY_ISSUE,
        P.NETWORK_EDIT,
        P.SIGNING_EDIT,
        P.WEBHOOK_EDIT,
        P.CHECKOUT_EDIT,
        P.GO_LIVE,
    }
)


def holders(permission: Permission) -> list[Role]:
    """Return the roles that grant a permission, in the order of the table."""
    return [role for role, granted in GRANTS.items() if permission in granted]
