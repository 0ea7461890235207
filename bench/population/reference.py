# Computes variables for a CSV file of persons with OpenFisca-Core and pandas, as bench/population asks for: a JSON
# document on standard input. Prints another: processor and wall-clock seconds of reading the file and making the
# simulation of it, of computing, and of writing the results; and the most memory that was used.
import importlib
import json
import logging
import resource
import sys
import time

ask = json.load(sys.stdin)
sys.path.insert(0, ask["dir"])
import numpy
import pandas
from openfisca_core.simulation_builder import SimulationBuilder

logging.disable()  # a package that is not installed is told so hundreds of times
spent = {}


def lap(name, since=[time.process_time(), time.perf_counter()]):
    now = [time.process_time(), time.perf_counter()]
    spent[name] = {"processor": now[0] - since[0], "wall": now[1] - since[1]}
    since[:] = now


system = importlib.import_module(ask["package"]).CountryTaxBenefitSystem()
lap("load")

rows = pandas.read_csv(ask["input"])
person = system.person_entity.key
builder = SimulationBuilder()
builder.create_entities(system)
builder.declare_person_entity(person, rows[person + "_id"].to_numpy())
first = {person: slice(None)}
for entity in system.group_entities:
    ids = rows[entity.key + "_id"].to_numpy()
    names, where = numpy.unique(ids, return_index=True)
    first[entity.key] = where
    group = builder.declare_entity(entity.key, names)
    builder.join_with_persons(group, ids, numpy.array(rows[entity.key + "_role"]))
simulation = builder.build(system)
for column in rows.columns:
    name, _, period = column.partition(":")
    if name not in system.variables:
        continue
    variable = system.get_variable(name)
    values = rows[column].to_numpy()[first[variable.entity.key]]
    if variable.value_type.__name__ == "date":
        values = values.astype("datetime64[D]")
    elif hasattr(variable, "possible_values") and variable.possible_values is not None:
        values = variable.possible_values.encode(values.astype(str))
    simulation.set_input(name, period or ask["period"], values)
lap("read")

results = {}
for name in ask["variables"]:
    variable = system.get_variable(name)
    results.setdefault(variable.entity.key, {})[name] = simulation.calculate(name, ask["period"])
lap("compute")

for key, columns in results.items():
    ids = simulation.populations[key].ids
    pandas.DataFrame({key + "_id": ids, **columns}).to_csv(ask["output"], index=False)
lap("write")
spent["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
json.dump(spent, sys.stdout)
