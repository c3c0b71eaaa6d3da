"""The shell around every page: navigation, components, error pages and e-mail."""
