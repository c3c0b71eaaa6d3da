"""What the log says about applications and checks."""

SENTENCES = {
    "application.started": "{actor} started {subject}",
    "application.answered": "{actor} saved answers of {subject}",
    "application.country_refused": "{actor} named a restricted country in {subject}",
    "application.submitted": "{actor} submitted {subject}",
    "application.assessed": "{actor} scored {subject}",
    "application.returned": "{actor} returned {subject} for changes",
    "application.held": "{actor} put {subject} on hold",
    "application.cleared": "{actor} cleared {subject} to contract",
    "application.declined": "{actor} declined {subject}",
    "application.withdrawn": "{actor} withdrew {subject}",
    "application.expired": "{actor} closed {subject}, which was forgotten",
    "application.executed": "{actor} noted that the pack of {subject} is executed",
    "check.running": "{actor} began check {subject}",
    "check.passed": "{actor} noted that check {subject} passed",
    "check.failed": "{actor} noted that check {subject} failed",
    "check.needs_review": "{actor} noted that check {subject} needs a person",
    "check.errored": "{actor} could not run check {subject}",
    "check.waived": "{actor} waived check {subject}",
    "check.expired": "Check {subject} is out of date",
    "check.asked_again": "{actor} asked for check {subject} to be run again",
}
