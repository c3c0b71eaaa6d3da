"""R16 and R35: one capacity per person and case, and no judging a business one ever belonged to."""
