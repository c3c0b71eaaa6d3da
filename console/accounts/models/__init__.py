"""Models of users, businesses, roles and sessions."""

from console.accounts.models.business import Business, Invitation, Membership, Participant
from console.accounts.models.factor import Authenticator, Passkey, ProviderAccount, RecoveryCode
from console.accounts.models.mail import EmailChange, StoppedMail
from console.accounts.models.person import OptionalMail, Session, Throttle, User

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
    "Session",
    "StoppedMail",
    "Throttle",
    "User",
]
