"""Models of users, businesses, roles and sessions."""

from console.accounts.models.business import Business, Invitation, Membership, Participant
from console.accounts.models.factor import Authenticator, RecoveryCode
from console.accounts.models.mail import StoppedMail
from console.accounts.models.person import Session, Throttle, User

__all__ = [
    "Authenticator",
    "Business",
    "Invitation",
    "Membership",
    "Participant",
    "RecoveryCode",
    "Session",
    "StoppedMail",
    "Throttle",
    "User",
]
