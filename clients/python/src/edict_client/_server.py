"""The program, and a server started for this process."""

from __future__ import annotations

import os
import platform
import queue
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import weakref
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

import httpx

from ._errors import EdictError, NoBinary, ServerFailed


def find_binary() -> str:
    """The edict program: EDICT_BINARY, the one that the wheel brought, or the first on the PATH."""
    named = os.environ.get("EDICT_BINARY")
    name = "edict.exe" if sys.platform == "win32" else "edict"
    if named:
        if not os.access(named, os.X_OK):
            raise NoBinary(f"EDICT_BINARY is {named}, which is no program: name an edict program, or unset it")
        return named
    scripts = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user")]
    for directory in scripts:
        candidate = os.path.join(directory, name)
        if os.access(candidate, os.X_OK):
            return candidate
    found = shutil.which(name)
    if found:
        return found
    raise NoBinary(
        f"there is no edict program for {platform.system()} {platform.machine()} here: wheels carry it for Linux, macOS and Windows on x86-64 and arm64. "
        "Elsewhere build it (`go build ./cmd/edict`) and name it in EDICT_BINARY, or use a server that runs: Law(url=...)"
    )


def data_directory() -> Path:
    """Where country packages are installed for servers that this package starts."""
    named = os.environ.get("EDICT_DATA")
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", str(Path.home())))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME", str(Path.home() / ".local" / "share")))
    return base / "edict"


def run(*arguments: str) -> str:
    """Runs a command of the edict program, as on the command line, and returns what it printed."""
    done = subprocess.run([find_binary(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise EdictError(f"edict {' '.join(arguments)}: {last_words(done.stderr)}")
    return done.stdout


def last_words(log: str) -> str:
    """What a program said about its end: the line that begins with its name, else its last lines."""
    lines = [line for line in log.splitlines() if line.strip()]
    said = [line[len("edict: ") :] for line in lines if line.startswith("edict: ")]
    return said[-1] if said else "\n".join(lines[-5:])


class Server:
    """A server for this process alone. It ends with stop, with the object, and with the process, however that ends."""

    def __init__(self, arguments: Sequence[str], wait: float = 120.0) -> None:
        binary = find_binary()
        handle, self._log_file = tempfile.mkstemp(prefix="edict-", suffix=".log")
        # A group of its own: Ctrl-C in a notebook is meant for the cell.
        group: Dict[str, Any] = {"creationflags": 0x200} if sys.platform == "win32" else {"start_new_session": True}
        try:
            self._process = subprocess.Popen(
                [binary, "serve", *arguments, "--until-input-ends"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=handle, text=True, **group
            )
        finally:
            os.close(handle)
        self._finalizer = weakref.finalize(self, _end, self._process, self._log_file)
        try:
            self.url = self._await_address(wait)
            self._await_ready(wait)
        except BaseException:
            self.stop()
            raise

    @property
    def pid(self) -> int:
        return self._process.pid

    def log(self) -> str:
        """The last part of what the server logged."""
        try:
            with open(self._log_file, encoding="utf-8", errors="replace") as file:
                return file.read()[-4000:]
        except FileNotFoundError:
            return ""

    def died(self) -> Optional[ServerFailed]:
        """What happened if the server has ended by itself."""
        status = self._process.poll()
        if status is None or not self._finalizer.alive:
            return None
        return ServerFailed(f"the server that was started for this process has ended with status {status}: make a new Law", self.log())

    def stop(self) -> None:
        """Ends the server, if it still runs."""
        self._finalizer()

    def _await_address(self, wait: float) -> str:
        lines: "queue.Queue[str]" = queue.Queue()
        out = self._process.stdout
        assert out is not None
        threading.Thread(target=lambda: lines.put(out.readline()), daemon=True).start()
        try:
            line = lines.get(timeout=wait)
        except queue.Empty:
            raise ServerFailed(f"the server did not listen within {wait:g} s", self.log()) from None
        prefix = "edict listening on "
        if not line.startswith(prefix):
            self._process.wait(timeout=wait)
            raise ServerFailed(f"the server did not start: {last_words(self.log())}")
        return line[len(prefix) :].strip()

    def _await_ready(self, wait: float) -> None:
        deadline = time.monotonic() + wait
        with httpx.Client() as http:
            while True:
                if self._process.poll() is not None:
                    raise ServerFailed(f"the server did not start: {last_words(self.log())}")
                try:
                    if http.get(self.url + "/readyz").status_code == 200:
                        return
                except httpx.TransportError:
                    pass
                if time.monotonic() > deadline:
                    raise ServerFailed(f"the server was not ready within {wait:g} s", self.log())
                time.sleep(0.02)  # there is no event across processes


def _end(process: "subprocess.Popen[str]", log: str) -> None:
    if process.stdin is not None:
        process.stdin.close()  # which the server takes for its end
    try:
        process.wait(timeout=15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
    os.unlink(log)


def country_arguments(
    country: Optional[str], extensions: Sequence[str], reforms: Sequence[str], dialect: Optional[str], data: Path
) -> List[str]:
    arguments = ["--data", str(data)]
    if country is not None:
        arguments += ["--country", country]
    for extension in extensions:
        arguments += ["--extension", extension]
    for reform in reforms:
        arguments += ["--reform", reform]
    if dialect is not None:
        arguments += ["--dialect", dialect]
    return arguments
