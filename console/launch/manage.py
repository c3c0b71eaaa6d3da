"""`make manage`: a command of manage.py, with the settings of the console in DATA_DIR."""

import os
import sys

from console.launch.place import DataFolder
from console.launch.setup import ROOT
from console.launch.trouble import Trouble


def main() -> None:
    """Become manage.py; a command that asks the database needs `make run` beside it."""
    try:
        environment = DataFolder.named_by_the_environment().environment()
    except Trouble as trouble:
        sys.exit(str(trouble))
    os.chdir(ROOT)
    os.execve(sys.executable, [sys.executable, "manage.py", *sys.argv[1:]], environment)


if __name__ == "__main__":
    main()
