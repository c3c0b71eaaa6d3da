"""Requests for information: what our reviewers ask of an applicant, and the replies."""
