from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

import edict_client

SOURCE = str(Path(edict_client.__file__).parent.parent)


def test_found(law: edict_client.Law, monkeypatch: pytest.MonkeyPatch) -> None:
    with edict_client.Law(url=law.url) as found:
        assert found.package == law.package
    assert httpx.get(law.url + "/healthz").status_code == 200, "a server that was found goes on"
    monkeypatch.setenv("EDICT_URL", law.url)
    with edict_client.Law() as found:
        assert found.url == law.url
    with pytest.raises(edict_client.EdictError, match="its own legislation"):
        edict_client.Law("openfisca-france", url=law.url)


def test_stops(data: None) -> None:
    with edict_client.Law() as law:
        url = law.url
        assert httpx.get(url + "/healthz").status_code == 200
    with pytest.raises(httpx.ConnectError):
        httpx.get(url + "/healthz")
    with pytest.raises(edict_client.EdictError, match="is closed"):
        law.calculate({})


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_ends_with_its_process(data: None) -> None:
    program = "import edict_client, sys; law = edict_client.Law(); print(law._server.pid, flush=True); sys.stdin.read()"
    process = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": SOURCE})
    assert process.stdout is not None
    pid = int(process.stdout.readline())
    process.kill()
    process.wait()
    ended = subprocess.run(["tail", f"--pid={pid}", "-f", "/dev/null"], timeout=60)
    assert ended.returncode == 0


def test_port_taken(law: edict_client.Law) -> None:
    with pytest.raises(edict_client.ServerFailed, match="another process listens there; stop it, or give another address"):
        edict_client.Law(listen=law.url[len("http://") :])


def test_unknown_country(data: None) -> None:
    with pytest.raises(edict_client.ServerFailed, match='"edict country install openfisca-nowhere" gets it'):
        edict_client.Law("openfisca-nowhere")


def test_server_dies(data: None) -> None:
    with edict_client.Law() as law:
        assert law._server is not None
        os.kill(law._server.pid, signal.SIGTERM)
        law._server._process.wait()
        with pytest.raises(edict_client.ServerFailed, match="make a new Law"):
            law.calculate({"individus": {"a": {}}})


def test_no_binary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EDICT_BINARY", raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sysconfig.get_path", lambda *_: "/nowhere")
    with pytest.raises(edict_client.NoBinary, match="wheels carry it for Linux.*EDICT_BINARY, or use a server that runs"):
        edict_client.Law()
    monkeypatch.setenv("EDICT_BINARY", "/nowhere/edict")
    with pytest.raises(edict_client.NoBinary, match="EDICT_BINARY is /nowhere/edict"):
        edict_client.Law()


def test_nobody_there() -> None:
    with pytest.raises(edict_client.Unreachable, match="is the server running there"):
        edict_client.Law(url="http://127.0.0.1:1")


def test_unknown_server(stranger: Any) -> None:
    url, answers = stranger
    with pytest.raises(edict_client.UnknownServer, match="has no simulation"):
        edict_client.Law(url=url)
    answers.update(body='{"about": {"legislation": {"package": "x", "version": "1", "hash": "h"}}}', type="application/json", version="v7.2.0")
    with pytest.raises(edict_client.UnknownServer, match="is edict v7.2.0, and this client knows versions up to 0.x: install the wheel of the server's version"):
        edict_client.Law(url=url)
    answers["version"] = "v0.9.1"
    edict_client.Law(url=url).close()
