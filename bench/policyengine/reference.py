"""What households cost with policyengine-core: reads {package, situations, reforms} as JSON, writes what each step took.

Times are [processor, clock] in seconds: {"load": …, "first": …, "others": […], "reformed": […], "memory": bytes, "values": […]}. The
values are those of what is null in the situations: of the first, of the others, of those under reforms.
"""

import time

begun = time.process_time(), time.perf_counter()

import importlib
import json
import logging
import resource
import sys
import warnings


def since(begin):
    return time.process_time() - begin[0], time.perf_counter() - begin[1]


def asked(situation):
    for plural, members in situation.items():
        for position, member in enumerate(members.values()):
            for variable, value in member.items():
                if isinstance(value, dict):
                    for period in [period for period, given in value.items() if given is None]:
                        yield variable, period, position


def compute(country, situation, policy=None):
    begin = time.process_time(), time.perf_counter()
    questions = list(asked(situation))
    options = {}
    if policy:
        from policyengine_core.reforms import Reform

        options["reform"] = Reform.from_dict(policy)
    simulation = country.Simulation(situation=situation, **options)
    values = [float(simulation.calculate(variable, int(period))[position]) for variable, period, position in questions]
    return since(begin), values


ask = json.load(sys.stdin)
logging.disable()
warnings.simplefilter("ignore")
country = importlib.import_module(ask["package"])
load = since(begun)
first, value = compute(country, ask["situations"][0])
values = [value]
others, reformed = [], []
for situation in ask["situations"][1:]:
    took, value = compute(country, situation)
    others.append(took)
    values.append(value)
for policy in ask["reforms"] or []:
    took, value = compute(country, ask["situations"][0], policy)
    reformed.append(took)
    values.append(value)
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
json.dump({"load": load, "first": first, "others": others, "reformed": reformed, "memory": memory, "values": values}, sys.stdout)
