"""Rate limits for attempts by strangers and users, and for the e-mails they cause."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rate:
    """At most `tries` attempts in `seconds` seconds; all of them may come at once."""

    tries: int
    seconds: int

    @property
    def cost(self) -> float:
        """Seconds until one more attempt is allowed."""
        return self.seconds / self.tries


HOUR, DAY = 3600, 86_400

# Per network address. A whole office may share one, so these are looser than the lock for one
# address and account (10 failures).
SIGN_IN_PER_ADDRESS = Rate(tries=60, seconds=600)
SIGN_UP_PER_ADDRESS = Rate(tries=30, seconds=HOUR)
RESET_PER_ADDRESS = Rate(tries=30, seconds=HOUR)
# Reports of exposed keys. A scanning service sends many keys in one report.
EXPOSURES_PER_ADDRESS = Rate(tries=60, seconds=HOUR)
# Public document checks. Checking a file costs us a process, checking a fingerprint one query.
CHECKED_FILES_PER_ADDRESS = Rate(tries=20, seconds=300)
CHECKED_FINGERPRINTS_PER_ADDRESS = Rate(tries=60, seconds=300)
# Evidence files. Each costs us a process.
EVIDENCE_PER_BUSINESS = Rate(tries=60, seconds=HOUR)
# Payment pages and their state. A mobile network may put many payers behind one address.
CHECKOUT_READS_PER_ADDRESS = Rate(tries=600, seconds=60)

# Look-ups in company registers, which limit us, too.
REGISTER_LOOKUPS_PER_PERSON = Rate(tries=30, seconds=HOUR)

# Wrong passwords for one account from one address: the next one locks this pair for half an hour.
# Further attempts during the lock do not extend it.
WRONG_PASSWORDS = Rate(tries=9, seconds=1800)
LOCK = Rate(tries=1, seconds=1800)

# Per account, from all addresses together. A successful sign-in or a reset restarts the count.
PASSWORDS_PER_ACCOUNT = Rate(tries=50, seconds=HOUR)
CODES_PER_ACCOUNT = Rate(tries=20, seconds=HOUR)
# Slower guessing is not refused, but the owner is notified: owners make fewer mistakes than this.
WRONG_PASSWORDS_UNTOLD = Rate(tries=20, seconds=DAY)
WRONG_CODES_UNTOLD = Rate(tries=10, seconds=DAY)
# Notify the owner at most this often.
WARNINGS_PER_ACCOUNT = Rate(tries=1, seconds=DAY)

# E-mails caused by somebody else: limits spam to many recipients, and repeated e-mails to one.
PUBLIC_MAIL_PER_RECIPIENT = Rate(tries=10, seconds=DAY)
# Password reset links. A link works for an hour, and no second one is sent within this time, so a
# stranger's requests cannot keep the owner from resetting the password.
RESETS_PER_RECIPIENT = Rate(tries=1, seconds=1800)
INVITATIONS_PER_RECIPIENT = Rate(tries=10, seconds=DAY)
INVITATIONS_PER_SENDER = Rate(tries=50, seconds=DAY)
INVITATIONS_PER_BUSINESS = Rate(tries=100, seconds=DAY)
# To technical contacts and signatories, who may never have joined. A business whose keys all expire
# in both environments causes 40 a day. More are dropped: the business's members are notified
# anyway.
NOTICES_PER_RECIPIENT = Rate(tries=20, seconds=DAY)
NOTICES_PER_BUSINESS = Rate(tries=40, seconds=DAY)
