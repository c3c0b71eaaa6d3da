"""Risk scoring: from facts to points with explanations, in integers only."""
