"""The program ``vasst``: the command line of the engine."""

import subprocess
import sys

from vasst.process import PROGRAMS, environment, node


def main() -> int:
    """Runs ``vasst`` with the arguments of this process; returns its exit code."""
    command = [node(), str(PROGRAMS / "main.js"), *sys.argv[1:]]
    with subprocess.Popen(command, env=environment()) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                # The terminal has told the engine, too: it ranks the laws found so far, and ends.
                continue


if __name__ == "__main__":
    sys.exit(main())
