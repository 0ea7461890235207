# Loads a country package with OpenFisca-Core, as bench/load asks, and prints what that took as one JSON document.
import importlib
import json
import logging
import resource
import sys
import time

ask = json.load(sys.stdin)
sys.path.insert(0, ask["dir"])
import openfisca_core.simulation_builder  # noqa: F401  not counted

logging.disable()  # a package that is not installed is told so hundreds of times
clock, processor = time.perf_counter(), time.process_time()
system = importlib.import_module(ask["package"]).CountryTaxBenefitSystem()
clock, processor = time.perf_counter() - clock, time.process_time() - processor
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
json.dump({"processor": processor, "clock": clock, "memory": memory, "variables": len(system.variables)}, sys.stdout)
