"""What can go wrong, each with its remedy in the message."""

from __future__ import annotations

from typing import Any, Optional


class EdictError(Exception):
    """Anything that this package raises by itself."""


class NoBinary(EdictError):
    """There is no edict program here to start."""


class ServerFailed(EdictError):
    """A server that was started for this process ended, or did not begin. `log` has its last words."""

    def __init__(self, message: str, log: str = "") -> None:
        super().__init__(message + (f"\nThe server's last words:\n{log}" if log else ""))
        self.log = log


class Unreachable(EdictError):
    """The server at a URL does not answer."""


class UnknownServer(EdictError):
    """What answers is no edict server, or one of a version that this client does not know."""


class Refused(EdictError):
    """The server refused a request. `errors` is its tree of what is wrong, in the shape of the request, where it has one."""

    def __init__(self, status: int, message: str, errors: Any = None, code: Optional[int] = None, retry_after: Optional[float] = None) -> None:
        super().__init__(message)
        self.status = status
        self.errors = errors
        self.code = code
        self.retry_after = retry_after


class PopulationFailed(EdictError):
    """A population could not be computed: the message has the line and column that are wrong."""


class StreamEnded(EdictError):
    """The server ended a stream for good, with a code of docs/reference/streams.md."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"the stream ended: {code} {reason}")
        self.code = code
