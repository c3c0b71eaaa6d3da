"""Audit log messages about sanctions lists."""

SENTENCES = {
    "sanctions_list.indexed_again": "{actor} renewed the index of names of a sanctions list",
    "sanctions_list.in_force": "{actor} put a version of a sanctions list in force, {subject}",
    "sanctions_list.refused": "{actor} refused a file of a sanctions list, {subject}",
}
