"""What our reviewers do: the queue, one application with its score, and the decisions."""
