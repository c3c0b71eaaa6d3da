"""How often strangers and people may try, and make us send e-mail: every figure, in one table."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rate:
    """So many tries in so many seconds; all of them may come at once."""

    tries: int
    seconds: int

    @property
    def cost(self) -> float:
        """Seconds until one try comes back."""
        return self.seconds / self.tries


HOUR, DAY = 3600, 86_400

# From one network address. A whole office may share one, so they are looser than the lock of one
# address and person (10 failures).
SIGN_IN_PER_ADDRESS = Rate(tries=60, seconds=600)
SIGN_UP_PER_ADDRESS = Rate(tries=30, seconds=HOUR)
RESET_PER_ADDRESS = Rate(tries=30, seconds=HOUR)
# Reports of keys found in public; a scanning service sends many keys in one.
EXPOSURES_PER_ADDRESS = Rate(tries=60, seconds=HOUR)
# Documents that anybody checks: looking at a file costs us a process, at a fingerprint a row.
CHECKED_FILES_PER_ADDRESS = Rate(tries=20, seconds=300)
CHECKED_FINGERPRINTS_PER_ADDRESS = Rate(tries=60, seconds=300)

# Wrong passwords of one account from one address: so many pass, the next one locks the two for half
# an hour. Whoever goes on trying meanwhile does not make that longer for its owner.
WRONG_PASSWORDS = Rate(tries=9, seconds=1800)
LOCK = Rate(tries=1, seconds=1800)

# At one account, from all addresses together. Success begins the count anew, and so does a reset.
PASSWORDS_PER_ACCOUNT = Rate(tries=50, seconds=HOUR)
CODES_PER_ACCOUNT = Rate(tries=20, seconds=HOUR)
# Guessing that stays below these is told too, though it is not refused: an owner errs less often.
WRONG_PASSWORDS_UNTOLD = Rate(tries=20, seconds=DAY)
WRONG_CODES_UNTOLD = Rate(tries=10, seconds=DAY)
# Its owner is told this often, however much is tried.
WARNINGS_PER_ACCOUNT = Rate(tries=1, seconds=DAY)

# E-mail that somebody else causes, so that nobody makes us write to many, or much to one.
PUBLIC_MAIL_PER_RECIPIENT = Rate(tries=10, seconds=DAY)
# A link to set a new password: within so long the one before still works, for an hour, and no
# other is sent. So whoever asks for somebody else keeps nobody from their account.
RESETS_PER_RECIPIENT = Rate(tries=1, seconds=1800)
INVITATIONS_PER_RECIPIENT = Rate(tries=10, seconds=DAY)
INVITATIONS_PER_SENDER = Rate(tries=50, seconds=DAY)
INVITATIONS_PER_BUSINESS = Rate(tries=100, seconds=DAY)
# To a technical contact or a signatory, who perhaps never joined. A business whose keys of both
# environments all end causes 40 in a day; what exceeds is dropped, for its own people are told of
# each.
NOTICES_PER_RECIPIENT = Rate(tries=20, seconds=DAY)
NOTICES_PER_BUSINESS = Rate(tries=40, seconds=DAY)
