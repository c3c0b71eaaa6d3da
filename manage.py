#!/usr/bin/env python
"""Django's command line entry point; `deliver` sends webhooks and loads no application."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
    # What is not imported takes no memory: the dispatcher stays a small process.
    if sys.argv[1:] == ["deliver"]:
        from apikeys.webhooks.dispatcher.__main__ import main

        main()
    else:
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)
