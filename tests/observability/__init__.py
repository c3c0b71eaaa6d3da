"""Probes, figures, traces, error reports and logs, as an operator gets them."""
