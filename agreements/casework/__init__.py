"""The pages of our reviewers: the packs that wait, and one application with its pack."""
