"""Turn facts and a template version into HTML and PDF, in a separate process."""
