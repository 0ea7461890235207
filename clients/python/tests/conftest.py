"""Everything here runs against the real server: the program that EDICT_BINARY names, or the one on the PATH."""

from __future__ import annotations

import http.server
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Dict, Iterator

import pytest

SOURCE = Path(__file__).parent.parent / "src"
if SOURCE.is_dir():  # else the package is installed
    sys.path.insert(0, str(SOURCE))

import edict_client  # noqa: E402
from edict_client._server import Server, find_binary  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def data(tmp_path_factory: pytest.TempPathFactory) -> None:
    os.environ["EDICT_DATA"] = str(tmp_path_factory.mktemp("data"))
    os.environ.pop("EDICT_URL", None)
    os.environ.pop("EDICT_TOKEN", None)


@pytest.fixture(scope="session")
def law(data: None) -> Iterator[edict_client.Law]:
    with edict_client.Law() as law:
        yield law


@pytest.fixture
def situation() -> Dict[str, Any]:
    return {
        "individus": {"ada": {"date_naissance": {"ETERNITY": "1984-03-02"}, "activite": {"2024": "actif"}, "salaire_imposable": {"2024": 30000}}},
        "familles": {"f": {"parents": ["ada"]}},
        "foyers_fiscaux": {"ff": {"declarants": ["ada"]}},
        "menages": {"m": {"personne_de_reference": ["ada"]}},
    }


class Messaging:
    """A server for messages that can be stopped and started again at the same address."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.server = Server(["--only", "messaging", "--listen", "127.0.0.1:0", "--data", str(directory), "--drain", "1s"])
        self.url = self.server.url

    def token(self, user: str, again: bool = False) -> str:
        def command(*arguments: str) -> str:
            return subprocess.run([find_binary(), *arguments, "--data", str(self.directory)], check=True, capture_output=True, text=True).stdout.strip()

        if not again:
            command("user", "create", user, "--id", user)
        return command("token", "create", "--user", user)

    def restart(self) -> None:
        self.server.stop()
        self.server = Server(["--only", "messaging", "--listen", self.url[len("http://") :], "--data", str(self.directory), "--drain", "1s"])


@pytest.fixture
def messaging(tmp_path: Path) -> Iterator[Messaging]:
    server = Messaging(tmp_path / "messages")
    yield server
    server.server.stop()


@pytest.fixture
def stranger() -> Iterator[Any]:
    """A server that answers what it is told to."""
    answers: Dict[str, str] = {"body": "<html>", "type": "text/html", "version": "", "status": "200"}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            body = answers["body"].encode()
            self.send_response(int(answers["status"]))
            self.send_header("Content-Type", answers["type"])
            if answers["version"]:
                self.send_header("X-Api-Version", answers["version"])
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET

        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", answers
    server.shutdown()
    server.server_close()
