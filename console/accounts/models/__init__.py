"""Models of users, businesses, roles and sessions."""

from console.accounts.models.business import Business, Invitation, Membership, Participant
from console.accounts.models.factor import Authenticator, Passkey, ProviderAccount, RecoveryCode
from console.accounts.models.mail import EmailChange, StoppedMail
from console.accounts.models.person import OptionalMail, Session, Throttle, User, WorkMail
from console.accounts.models.same_person import SamePerson
from console.accounts.models.saved_view import SavedView

__all__ = [
    "Authenticator",
    "Business",
    "EmailChange",
    "Invitation",
    "Membership",
    "OptionalMail",
    "Participant",
    "Passkey",
    "ProviderAccount",
    "RecoveryCode",
    "SamePerson",
    "SavedView",
    "Session",
    "StoppedMail",
    "Throttle",
    "User",
    "WorkMail",
]
