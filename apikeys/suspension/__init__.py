"""Suspending, restoring and closing the access of a whole business, and telling its people."""
