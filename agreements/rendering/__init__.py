"""Facts and a template version become HTML and PDF, in a process of its own."""
