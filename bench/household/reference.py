# Loads a country package with OpenFisca-Core and computes one variable for one person, as bench/household asks.
# Prints one JSON document: processor seconds of loading, of the first computation of the best one after it and of
# other households, and the values.
import importlib
import json
import logging
import sys
import time

ask = json.load(sys.stdin)
sys.path.insert(0, ask["dir"])
import numpy
from openfisca_core.simulation_builder import SimulationBuilder

logging.disable()  # a package that is not installed is told so hundreds of times
clock = time.perf_counter()
begin = time.process_time()
system = importlib.import_module(ask["package"]).CountryTaxBenefitSystem()
load = time.process_time() - begin
wall = time.perf_counter() - clock


def run(inputs):
    begin = time.process_time()
    simulation = SimulationBuilder().build_default_simulation(system, 1)
    for given in inputs:
        variable = system.get_variable(given["variable"])
        value = numpy.array([given["value"]]).astype(variable.dtype)
        simulation.set_input(given["variable"], given["period"], value)
    result = simulation.calculate(ask["variable"], ask["period"])
    return time.process_time() - begin, float(result[0])


first, value = run(ask["inputs"])
again = min(run(ask["inputs"])[0] for _ in range(ask["rounds"]))
others = [run(inputs) for inputs in ask["others"]]
another = sorted(time for time, _ in others)[len(others) // 2]
values = [value for _, value in others]
json.dump({"load": load, "wall": wall, "first": first, "again": again, "another": another, "value": value, "values": values}, sys.stdout)
