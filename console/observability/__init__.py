"""What operators see from outside: probes, figures for Prometheus, traces and error reports."""
