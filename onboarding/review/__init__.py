"""The reviewers' side: the queue, an application with its score, and decisions."""
