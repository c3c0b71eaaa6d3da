"""Payroll: what a business pays its staff, in one run."""
