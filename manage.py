#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    from config.environment import BrokenSetting

    try:
        execute_from_command_line(sys.argv)
    except BrokenSetting as error:
        sys.exit(f"smazzata: {error}")


if __name__ == "__main__":
    main()
