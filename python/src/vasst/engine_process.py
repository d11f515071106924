"""The engine: one process of Node, asked line by line in JSON."""

import atexit
import base64
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from vasst.process import PROGRAMS, environment, node

#: Seconds between two looks whether the user has pressed Ctrl-C, which some systems do not tell while a thread waits.
_PATIENCE = 0.5


class EngineError(RuntimeError):
    """The engine has a fault, or has ended: a mistake of vasst, or too little memory."""


def encode(values: np.ndarray) -> str:
    """Numbers as the engine reads them: float64, little endian, in base64; columns of a matrix one after the other."""
    return base64.b64encode(np.asarray(values, dtype="<f8").tobytes(order="F")).decode("ascii")


def decode(text: str) -> np.ndarray:
    """The numbers of a text of the engine."""
    return np.frombuffer(base64.b64decode(text), dtype="<f8").astype(np.float64)


class _Engine:
    """A running engine. Its requests are answered one after the other."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.lock = threading.RLock()
        self.requests = 0
        # A session of its own: Ctrl-C in a terminal is for Python, which asks the engine to end a fit with what it has.
        apart: dict[str, Any] = (
            {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
            if sys.platform == "win32"
            else {"start_new_session": True}
        )
        self.process = subprocess.Popen(
            [node(), str(PROGRAMS / "serve.js")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(),
            **apart,
        )
        # A thread reads, so that no line is lost where Ctrl-C ends a wait.
        self.lines: queue.Queue[bytes | None] = queue.Queue()
        threading.Thread(target=self._read, name="vasst engine", daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def alive(self) -> bool:
        """Whether the engine can be asked by this process: not by a fork of the one that has started it."""
        return self.pid == os.getpid() and self.process.poll() is None

    def close(self) -> None:
        """Ends the engine."""
        if self.pid == os.getpid():
            self.process.kill()
            self.process.wait()

    def _write(self, message: Mapping[str, Any]) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(message, allow_nan=False).encode() + b"\n")
            self.process.stdin.flush()
        except OSError as error:
            raise self._ended() from error
        except BaseException:
            # Half a line would spoil the next one.
            self.close()
            raise

    def _ended(self) -> EngineError:
        code = self.process.wait()
        return EngineError(f"the engine has ended with code {code}; it may have run out of memory: give fewer rows or columns")

    def _next(self) -> dict[str, Any]:
        while True:
            try:
                line = self.lines.get(timeout=_PATIENCE)
            except queue.Empty:
                continue
            if line is None:
                raise self._ended()
            return json.loads(line)

    def ask(self, method: str, tell: Callable[[str], None] | None, request: Mapping[str, Any]) -> Any:
        """The answer to a request; the first Ctrl-C asks a fit to end early, a second ends the engine."""
        with self.lock:
            self.requests += 1
            number = self.requests
            self._write({"method": method, "id": number, **request})
            stopped = False
            answer: dict[str, Any] | None = None
            while True:
                try:
                    # Ctrl-C may come anywhere below: an answer that has been read is kept.
                    if answer is None:
                        answer = self._next()
                    if "progress" in answer or answer.get("id") not in (number, None):
                        line, answer = answer.get("progress"), None
                        if tell is not None and line is not None:
                            tell(line)
                    elif "error" in answer:
                        raise _error(answer["error"])
                    else:
                        return answer["result"]
                except KeyboardInterrupt:
                    if stopped or method != "fit":
                        self.close()
                        raise
                    stopped = True
                    self._write({"method": "stop", "fit": number})


def _error(error: Mapping[str, str]) -> Exception:
    kind = EngineError if error["tag"] == "InternalError" else ValueError
    return kind(error["message"])


_running: _Engine | None = None
_starting = threading.Lock()


def _engine() -> _Engine:
    global _running
    with _starting:
        if _running is None or not _running.alive():
            _running = _Engine()
        return _running


@atexit.register
def _close() -> None:
    if _running is not None:
        _running.close()


def ask(method: str, tell: Callable[[str], None] | None = None, **request: Any) -> Any:
    """
    Asks the engine, which is started by the first request of a process and ends with it.

    Parameters
    ----------
    method : what is asked: "fit", "predict" or "values"
    tell : called with a line of text now and then while a fit runs

    Raises
    ------
    ValueError
        One line that says what is wrong with data or settings.
    EngineError
        The engine has a fault, or has ended.
    """
    return _engine().ask(method, tell, request)


def columns(names: list[str], values: np.ndarray) -> dict[str, Any]:
    """A table as the engine reads it."""
    return {"features": names, "columns": encode(values), "rows": len(values)}
