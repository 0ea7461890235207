"""What a change of a parameter costs with OpenFisca-Core: a Python reform of the loaded system, then a household with it.

Reads {package, situation, vary, variable, period, parameter, day, values} as JSON from standard input, writes the
processor seconds of each value as JSON: {"base": [...], "derive": [...], "first": [...], "second": [...]}.
"""

import json
import logging
import sys
import time

import numpy

from openfisca_core.periods import instant
from openfisca_core.reforms import Reform
from openfisca_core.scripts import build_tax_benefit_system
from openfisca_core.simulation_builder import SimulationBuilder


def reformed(system, path, day, value):
    def change(parameters):
        item = parameters
        for step in path.split("."):
            item = item.children[step]
        item.update(start=instant(day), value=value)
        return parameters

    class Changed(Reform):
        def apply(self):
            self.modify_parameters(change)

    return Changed(system)


def compute(system, situation, ask):
    simulation = SimulationBuilder().build_from_entities(system, situation)
    return [float(v) for v in simulation.calculate(ask["variable"], ask["period"])]


def measured(do):
    started = time.process_time()
    result = do()
    return time.process_time() - started, result


def main():
    ask = json.load(sys.stdin)
    logging.disable(logging.CRITICAL)
    numpy.seterr(all="ignore")
    system = build_tax_benefit_system(ask["package"], [], [])
    compute(system, ask["situation"], ask)
    times = {"base": [], "derive": [], "first": [], "second": [], "values": []}
    for value in ask["values"]:
        times["base"].append(measured(lambda: compute(system, ask["situation"], ask))[0])
        took, changed = measured(lambda: reformed(system, ask["parameter"], ask["day"], value))
        times["derive"].append(took)
        took, result = measured(lambda: compute(changed, ask["situation"], ask))
        times["first"].append(took)
        times["second"].append(measured(lambda: compute(changed, ask["situation"], ask))[0])
        times["values"].append(result)
    json.dump(times, sys.stdout)


if __name__ == "__main__":
    main()
