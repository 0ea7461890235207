"""Run situations on a country package with OpenFisca-Core and dump every cached column, one JSON object per line.

    python reference.py --country openfisca_country_template situations.jsonl > reference.jsonl

Not only what was asked is dumped, but every array that the simulation holds when it is done, inputs and defaults
included: two engines agree when all of them are equal, bit for bit. README.md describes the formats.
"""

import argparse
import json
import logging
import math
import pickle
import sys
import time
import types
import warnings

import numpy

import openfisca_core.reforms.reform
from openfisca_core.indexed_enums import EnumArray
from openfisca_core.periods import instant
from openfisca_core.reforms import Reform
from openfisca_core.scripts import build_tax_benefit_system
from openfisca_core.simulation_builder import SimulationBuilder


def reformed(system, data):
    """The system with a reform that is written as data, done as a reform in Python does it."""

    def change(parameters):
        for path, days in data.get("parameters", {}).items():
            parameter = find(parameters, path)
            for start, stop, value in sorted((span(days, value) for days, value in days.items()), key=order):
                parameter.update(start=start, stop=stop, value=value)
        return parameters

    class Data(Reform):
        def apply(self):
            self.modify_parameters(change)
            for name in data.get("neutralize", []):
                self.neutralize_variable(name)

    return Data(system)


def copy_quickly(system):
    """Have reforms copy the parameters by what was pickled once: copy.deepcopy takes seconds for each of them."""
    pickled = pickle.dumps(system.parameters)
    copies = types.SimpleNamespace(deepcopy=lambda _: pickle.loads(pickled))
    openfisca_core.reforms.reform.copy = copies


def find(parameters, path):
    item = parameters
    for step in path.split("."):
        name, _, place = step.partition("[")
        item = item.brackets[int(place[:-1])] if place else item.children[name] if hasattr(item, "children") and name in item.children else getattr(item, name)
    return item


def span(days, value):
    start, _, stop = days.partition(".")
    return instant(start), instant(stop) if stop else None, value


def order(change):
    """By the first day; what lasts longer comes first, and gives way."""
    start, stop, _ = change
    return tuple(start), tuple(-part for part in stop) if stop else (-9999,)


def run(system, case):
    """Build one situation, compute its outputs in order, and describe the end state."""
    answer = {"id": case["id"]}
    started = time.perf_counter()
    try:
        simulation = SimulationBuilder().build_from_entities(system, case["situation"])
    except Exception as error:
        return {**answer, "error": describe(error, "build", None), "columns": []}
    built = time.perf_counter()
    simulation.max_spiral_loops = case.get("max_spiral_loops", simulation.max_spiral_loops)
    for variable, period in case["outputs"]:
        try:
            simulation.calculate(variable, period)
        except Exception as error:
            # A failed computation leaves core's stack as it was when it failed: nothing after it would be comparable.
            answer["error"] = describe(error, "calculate", [variable, period])
            break
    finished = time.perf_counter()
    answer["seconds"] = {"build": round(built - started, 6), "calculate": round(finished - built, 6)}
    answer["columns"] = [] if "error" in answer else columns(simulation)
    return answer


def describe(error, stage, output):
    """An error as data: core's situation errors carry a tree, others a text."""
    tree = getattr(error, "error", None)
    message = tree if isinstance(tree, (dict, str)) else str(error)
    return {"stage": stage, "output": output, "type": type(error).__name__, "message": message}


def columns(simulation):
    """Every array held by the simulation, by variable then period."""
    found = []
    for population in simulation.populations.values():
        for name, holder in population._holders.items():
            for period in holder.get_known_periods():
                array = holder.get_array(period)
                if array is not None:
                    found.append({"variable": name, "period": str(period), **column(array)})
    found.sort(key=lambda c: (c["variable"], c["period"]))
    return found


def column(array):
    """One array: its type, its values for the reader, its bits for the comparison."""
    if isinstance(array, EnumArray):
        codes = numpy.asarray(array).astype("<i2")
        return {"dtype": "enum", "values": [str(v) for v in array.decode_to_str()], "bits": codes.tobytes().hex()}
    array = numpy.asarray(array)
    kind = array.dtype.kind
    if kind == "M":
        days = array.astype("datetime64[D]").astype("<i8")
        return {"dtype": "date", "values": [str(v) for v in array], "bits": days.tobytes().hex()}
    if kind in "OSU":
        texts = [v.decode() if isinstance(v, bytes) else str(v) for v in array.tolist()]
        return {"dtype": "bytes" if kind == "S" else "str", "values": texts, "bits": None}
    little = array.astype(array.dtype.newbyteorder("<"))
    return {"dtype": array.dtype.name, "values": [plain(v) for v in array], "bits": little.tobytes().hex()}


def plain(value):
    """A JSON value: floats as the shortest text that reads back to the same float, non-finite ones as text."""
    if isinstance(value, (bool, numpy.bool_)):
        return bool(value)
    if isinstance(value, numpy.integer):
        return int(value)
    if not math.isfinite(value):
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(float(value))]
    return float(str(value))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("situations", help="file of situations, one JSON object per line; - for standard input")
    parser.add_argument("--country", required=True, help="importable name of the country package")
    parser.add_argument("--extension", action="append", default=[], help="importable name of an extension; repeatable")
    parser.add_argument("--reform", action="append", default=[], help="dotted path of a reform class; repeatable")
    options = parser.parse_args()

    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    numpy.seterr(all="ignore")
    started = time.perf_counter()
    system = build_tax_benefit_system(options.country, options.extension, options.reform)
    header = {
        "country": options.country,
        "variables": len(system.variables),
        "numpy": numpy.__version__,
        "seconds": {"load": round(time.perf_counter() - started, 6)},
    }
    emit(header)
    source = sys.stdin if options.situations == "-" else open(options.situations, encoding="utf-8")
    copy_quickly(system)
    data, changed = None, system
    with source:
        for line in source:
            if not line.strip():
                continue
            case = json.loads(line)
            if case.get("reform") != data:
                data = case.get("reform")
                changed = reformed(system, data) if data else system
            emit(run(changed, case))


def emit(value):
    json.dump(value, sys.stdout, ensure_ascii=False)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
