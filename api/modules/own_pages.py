"""Products with pages of their own in the console, which take the place of their module."""

from console.accounts.roles import Permission

# The page of each, and the permission to see it. Others see the module.
PAGES = {"webhooks": ("apikeys:webhooks", Permission.WEBHOOK_VIEW)}
