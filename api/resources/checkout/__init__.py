"""Hosted checkout: amounts that payers are asked for on a page of ours."""
