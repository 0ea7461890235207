"""A legislation, served by a server of its own or by one that runs."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Type, Union

import httpx
import numpy as np
from numpy.typing import NDArray

from ._curve import Curve
from ._errors import EdictError, PopulationFailed, Refused, UnknownServer
from ._http import TIMEOUT, Events, check_version, refusal, unreachable
from ._population import Bar, Frame, Population, Progress, from_parquet, to_parquet
from ._server import Server, country_arguments, data_directory, run
from ._simulation import Period, Simulation
from ._tree import Branch, Step

Reform = Union[str, Mapping[str, Any]]
Reforms = Union[Reform, Sequence[Reform], None]
Values = Optional[Mapping[str, Any]]
Situation = Mapping[str, Any]

_DTYPES: Dict[str, Any] = {"Float": np.float32, "Int": np.int32, "Boolean": np.bool_, "Date": "datetime64[D]"}


@dataclass
class Comparison:
    """Figures with a reform (`reform`) and without (`base`), per variable an array with a value per member."""

    reform: Dict[str, NDArray[Any]]
    base: Dict[str, NDArray[Any]]

    def difference(self, variable: str) -> NDArray[Any]:
        result: NDArray[Any] = self.reform[variable] - self.base[variable]
        return result


class Law:
    """A legislation to compute with.

    Without arguments it is the legislation that edict brings; `country` is an OpenFisca country package: a path, or the name of one that
    is installed (`install=True` gets it). With `url`, or EDICT_URL in the environment and no country, a server that runs is used; otherwise one
    is started for this process and ends with close(), with the `with` block, or with the process.

    `listen` is the address of a server that is started; by default a free port of this machine.
    """

    def __init__(
        self,
        country: Optional[str] = None,
        *,
        extensions: Sequence[str] = (),
        reforms: Sequence[str] = (),
        dialect: Optional[str] = None,
        install: bool = False,
        url: Optional[str] = None,
        token: Optional[str] = None,
        listen: str = "127.0.0.1:0",
    ) -> None:
        self._server: Optional[Server] = None
        if url is None and country is None and not extensions and not reforms:
            url = os.environ.get("EDICT_URL")
        if url is not None and (country is not None or extensions or reforms):
            raise EdictError("a server that runs has its own legislation: give url alone, or country, extensions and reforms without it")
        if url is None:
            if install and country is not None:
                run("country", "install", country, *extensions, "--data", str(data_directory()))
            arguments = ["--only", "simulation", "--simulation-populations", "open", "--console=false", "--listen", listen, "--drain", "2s"]
            self._server = Server(arguments + country_arguments(country, extensions, reforms, dialect, data_directory()))
            url = self._server.url
        self.url = url.rstrip("/")
        headers = {"Authorization": f"Bearer {token or os.environ['EDICT_TOKEN']}"} if token or (self._server is None and "EDICT_TOKEN" in os.environ) else {}
        self._http = httpx.Client(base_url=self.url, headers=headers, timeout=TIMEOUT)
        self._variables: Dict[str, Dict[str, Any]] = {}
        self._plurals: Optional[Dict[str, str]] = None
        try:
            answer = self._send("GET", "/readyz")
            about = answer.json().get("about", {}).get("legislation") if answer.headers.get("Content-Type", "").startswith("application/json") else None
            check_version(self.url, self._send("GET", "/api").headers.get("X-Api-Version") if about else None)
            assert about is not None  # or its version was refused
            self.package: str = about["package"]
            self.version: str = about["version"]
        except BaseException as wrong:
            self.close()
            if isinstance(wrong, Refused) and wrong.status == 404:
                raise UnknownServer(f"the server at {self.url} is not edict: check the address") from wrong
            raise

    def __repr__(self) -> str:
        return f"<Law {self.package} {self.version} at {self.url}>"

    def __enter__(self) -> "Law":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()

    def close(self) -> None:
        """Ends the server that was started, if one was. A law that is closed computes nothing any more."""
        if hasattr(self, "_http"):
            self._http.close()
        if self._server is not None:
            self._server.stop()

    # One household.

    def calculate(self, situation: Situation) -> Dict[str, Any]:
        """The situation, in OpenFisca's form, with a value where it has None."""
        return self._json("POST", "/calculate", situation)

    def simulation(self, situation: Situation) -> Simulation:
        """A Simulation of the situation, as openfisca_core has it."""
        return Simulation(self, situation)

    def trace(self, situation: Situation) -> List[Step]:
        """What was computed for the Nones of the situation, as trees: one for each variable and period that was asked for."""
        answer = self._json("POST", "/trace", situation)
        seen: Dict[str, Step] = {}
        return [Step.of(answer["trace"], key, seen) for key in answer["requestedCalculations"]]

    def what_if(self, situation: Situation, variables: Union[str, Sequence[str]], period: Period, *, reform: Reforms = None, set: Values = None) -> Comparison:
        """Variables with and without a reform. `reform` is a key, a reform as data (docs/guides/reforms.md) or a list of them; `set` has values of
        parameters by path, each from the first day of the period on, or {day: value}."""
        body = self._scenario(situation, variables, period, reform, set)
        if "reforms" not in body:
            raise EdictError("what_if needs a reform: give reform= or set=")
        answer = self._json("POST", "/api/1/calculate", body)
        return Comparison(self._columns(answer["value"][0]), self._columns(answer["base_value"][0]))

    def why(
        self, situation: Situation, variable: str, period: Period, *, depth: int = 2, member: Union[int, str, None] = None, path: Optional[Sequence[str]] = None, reform: Reforms = None, set: Values = None
    ) -> Branch:
        """The tree behind a figure; print it, or walk its branches. `member` is the place or the id of whose figure it is."""
        body = self._scenario(situation, variable, period, reform, set)
        figure: Dict[str, Any] = {"variable": variable, "period": str(period)}
        if member is not None:
            figure["index" if isinstance(member, int) else "id"] = member
        body.update(figure=figure, depth=depth)
        if path is not None:
            body["path"] = list(path)
        return Branch.of(self._json("POST", "/api/2/why", body)["value"])

    def curve(
        self, situation: Situation, variables: Union[str, Sequence[str]], period: Period, *, along: str, min: float, max: float, count: int = 100, member: int = 0, reform: Reforms = None, set: Values = None
    ) -> Curve:
        """Variables while an input goes from min to max: `along` is the input, `member` the place of whom it belongs to."""
        body = self._scenario(situation, variables, period, reform, set)
        axis: Dict[str, Any] = {"name": along, "min": min, "max": max, "count": count}
        if member:
            axis["index"] = member
        body["scenarios"][0]["axes"] = [axis]
        answer = self._json("POST", "/api/1/calculate", body)

        def shaped(value: Dict[str, Any]) -> Dict[str, NDArray[Any]]:
            return {name: self.column(name, column).reshape(count, -1) for name, column in value.items()}

        base = shaped(answer["base_value"][0]) if "reforms" in body else None
        return Curve(along, str(period), np.linspace(min, max, count), shaped(answer["value"][0]), base)

    # Many households.

    def population(
        self,
        persons: Union[Frame, str, "os.PathLike[str]"],
        variables: Union[str, Sequence[str]],
        period: Period,
        *,
        weight: Optional[str] = None,
        reform: Reforms = None,
        set: Values = None,
        compare: Optional[bool] = None,
        by: Union[str, Sequence[str]] = (),
        income: Optional[str] = None,
        equivalence: Optional[str] = None,
        poverty_line: Optional[float] = None,
        replicate_weights: Union[str, Sequence[str]] = (),
        replicate_method: Optional[str] = None,
        keep: Union[str, Sequence[str]] = (),
        ignore_unknown: bool = False,
        progress: Progress = None,
    ) -> Population:
        """Computes variables for a row per person, as docs/reference/populations.md describes the columns. A DataFrame goes and comes back as Parquet; a
        path is that of a CSV or Parquet file, whose result is a pandas DataFrame. With a reform the base is computed too, unless compare=False.
        `progress` is True, False, or a function that gets the share that is done; without it a bar is shown on terminals and in notebooks."""
        name, raw, back = _upload(persons)
        reforms = self._reforms(reform, set, period)
        options: Dict[str, Any] = {"variables": _names(variables), "period": str(period), "output": "parquet"}
        options.update({} if not reforms else {"reform": reforms, "compare": True if compare is None else compare})
        given = {"weight": weight, "by": _names(by), "income": income, "equivalence": equivalence, "poverty-line": poverty_line, "replicate-weights": _names(replicate_weights), "replicate-method": replicate_method, "keep": _names(keep), "ignore-unknown": ignore_unknown}
        options.update({name: value for name, value in given.items() if value})
        files = {"file": (name, raw, "application/octet-stream"), "options": (None, json.dumps(options), "application/json")}
        response = self._send("POST", "/api/2/populations", files=files)
        place = response.headers["Location"]
        try:
            done = self._follow(place, progress)
            if done["state"] != "done":
                raise PopulationFailed(str(done.get("error") or f"the population was {done['state']}"))
            report = self._json("GET", f"{place}/report?format=json")
            entity = self.variable_info(_names(variables)[0].partition(":")[0])["entity"]  # which the server says where there are several
            frames = {rows.get("entity", entity): back(self._send("GET", rows["path"]).content) for rows in done.get("rows", [])}
        finally:
            self._discard(place)
        return Population(frames, report, list(done.get("notices") or []))

    def _follow(self, place: str, progress: Progress) -> Dict[str, Any]:
        bar, events, last = Bar(progress), Events(), {}
        try:
            with self._http.stream("GET", f"{place}/events", timeout=httpx.Timeout(None, connect=10.0)) as response:
                if response.status_code != 200:
                    response.read()
                    raise refusal(response)
                for line in response.iter_lines():
                    event = events.line(line)
                    if event is not None:
                        last = json.loads(event["data"])
                        bar.at(float(last.get("progress") or 0))
        except httpx.TransportError as lost:
            raise self._lost(lost) from lost
        finally:
            bar.close()
        found: Dict[str, Any] = last if last.get("state") not in (None, "queued", "running") else self._json("GET", place)
        return found

    def _discard(self, place: str) -> None:
        """Removes a population, and cancels it if it is not done; one that is gone with its server is gone."""
        try:
            self._http.delete(place)
        except httpx.TransportError:
            pass

    # What the law is made of.

    def search(self, text: str, *, kind: Optional[str] = None) -> List[Dict[str, Any]]:
        """Variables and parameters by what people call them."""
        answer = self._json("GET", "/api/2/search", params={"q": text, **({"kind": kind} if kind else {})})
        found: List[Dict[str, Any]] = answer["results"]
        return found

    def variable_info(self, name: str) -> Dict[str, Any]:
        """What is known of a variable: description, entity, valueType, definitionPeriod, formulas."""
        if name not in self._variables:
            self._variables[name] = self._json("GET", f"/variable/{name}")
        return self._variables[name]

    def parameter(self, path: str) -> Dict[str, Any]:
        """A parameter and its values over time."""
        return self._json("GET", f"/parameter/{path.replace('.', '/')}")

    def reforms(self) -> List[Dict[str, Any]]:
        """The reforms of the package, with the keys that `reform` takes."""
        found: List[Dict[str, Any]] = self._json("GET", "/api/1/reforms")["reforms"]
        return found

    def plural_of(self, variable: str) -> str:
        """The plural of the entity of a variable, which situations use."""
        if self._plurals is None:
            self._plurals = {key: entity["plural"] for key, entity in self._json("GET", "/entities").items()}
        return self._plurals[self.variable_info(variable)["entity"]]

    def column(self, variable: str, values: Sequence[Any]) -> NDArray[Any]:
        """Values of a variable as an array of its type; enumerations are texts."""
        return np.array(values, dtype=_DTYPES.get(self.variable_info(variable)["valueType"], object))

    def _columns(self, value: Mapping[str, Sequence[Any]]) -> Dict[str, NDArray[Any]]:
        return {name: self.column(name, values) for name, values in value.items()}

    # Requests.

    def _scenario(self, situation: Situation, variables: Union[str, Sequence[str]], period: Period, reform: Reforms, set: Values) -> Dict[str, Any]:
        body: Dict[str, Any] = {
            "scenarios": [{"period": str(period), "test_case": _inputs(situation)}],
            "variables": _names(variables),
            "output_format": "variables",
        }
        reforms = self._reforms(reform, set, period)
        if reforms:
            body["reforms"] = reforms
        return body

    def _reforms(self, reform: Reforms, set: Values, period: Period) -> List[Any]:
        reforms: List[Any] = [] if reform is None else [reform] if isinstance(reform, (str, Mapping)) else list(reform)
        if set:
            day = re.search(r"\d{4}(-\d{2}){0,2}", str(period))
            start = day.group(0) if day else "0001-01-01"
            reforms.append({"parameters": {path: dict(v) if isinstance(v, Mapping) else {start: v} for path, v in set.items()}})
        return reforms

    def _json(self, method: str, path: str, body: Any = None, params: Optional[Mapping[str, str]] = None) -> Dict[str, Any]:
        answer: Dict[str, Any] = self._send(method, path, **({} if body is None else {"json": body}), **({"params": params} if params else {})).json()
        return answer

    def _send(self, method: str, path: str, **how: Any) -> httpx.Response:
        if self._http.is_closed:
            raise EdictError("this law is closed: make a new Law")
        try:
            response = self._http.request(method, path, **how)
        except httpx.TransportError as lost:
            raise self._lost(lost) from lost
        if not response.is_success:
            raise refusal(response)
        return response

    def _lost(self, why: Exception) -> EdictError:
        died = self._server.died() if self._server is not None else None
        return died or unreachable(self.url, why)


def _upload(persons: Any) -> "tuple[str, bytes, Callable[[bytes], Frame]]":
    """The name and the bytes of a file of persons, and what makes a frame of the answer."""
    if not isinstance(persons, (str, os.PathLike)):
        raw, back = to_parquet(persons)
        return "persons.parquet", raw, back
    try:
        with open(persons, "rb") as file:
            return os.path.basename(os.fspath(persons)), file.read(), from_parquet
    except OSError as wrong:
        raise EdictError(f"{os.fspath(persons)} cannot be read: {wrong.strerror}") from wrong


def _names(variables: Union[str, Sequence[str]]) -> List[str]:
    return [variables] if isinstance(variables, str) else list(variables)


def _inputs(situation: Situation) -> Dict[str, Any]:
    """A situation without what it asks for: Nones, which /api/1 has in a list of their own."""

    def member(values: Mapping[str, Any]) -> Dict[str, Any]:
        kept = {}
        for name, value in values.items():
            if isinstance(value, Mapping):
                value = {period: v for period, v in value.items() if v is not None}
                if not value:
                    continue
            if value is not None:
                kept[name] = value
        return kept

    return {plural: {id: member(values) for id, values in entity.items()} if isinstance(entity, Mapping) else entity for plural, entity in situation.items()}
