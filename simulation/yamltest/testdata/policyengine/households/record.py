"""Records what policyengine-core and a package of PolicyEngine answer to the households of draw.py, a line of JSON each.

    python record.py us|uk|canada OUT [COUNT]

A line is the request and its "answer": the values in the places of null, by entity, id, variable and period; with axes a list, one value per point.
If the household or the policy is rejected, the answer is {"error": TEXT}. A value that raises is no longer asked for in the recorded request, which is
computed again without it; it is in "errors", by entity, id, variable and period. What OUT has is not computed again, by "number", the request's
place in the drawing.
Each request is computed as policyengine-api does; those that make a system of their own (uk always, us for a policy) in a forked process, which gives
its memory back.

    gzip -9n < OUT > us-2.68.0.jsonl.gz
"""

import contextlib
import gc
import importlib
import io
import json
import logging
import os
import signal
import sys
import traceback
import warnings

import draw
import numpy as np


def plain(value):
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        value = float(str(value))
        return value if np.isfinite(value) else str(value)
    if isinstance(value, bytes):
        return value.decode()
    return str(value)


def wanted(household):
    for plural, table in household.items():
        if plural != "axes":
            for position, (name, inputs) in enumerate(table.items()):
                for variable, given in inputs.items():
                    if isinstance(given, dict):
                        for period in [period for period, value in given.items() if value is None]:
                            yield plural, position, name, variable, period


def simulation(country, package, household, policy):
    if policy and country == "canada":  # its class takes no reform
        from policyengine_core.parameters import get_parameter
        from policyengine_core.periods import instant

        system = package.system.clone() if hasattr(package.system, "clone") else package.CountryTaxBenefitSystem()
        for path, values in policy.items():
            for days, value in values.items():
                start, stop = days.split(".")
                get_parameter(system.parameters, path).update(start=instant(start), stop=instant(stop), value=value)
        return package.Simulation(tax_benefit_system=system, situation=household)
    return package.Simulation(situation=household, **({"reform": policy} if policy else {}))


def answer(country, package, request):
    """Returns the values of a request, and the errors of the values that raise."""
    household, values, errors = json.loads(json.dumps(request["household"])), {}, {}
    try:
        sim = simulation(country, package, household, request.get("policy"))
    except Exception as e:
        return {"error": text(e)}, {}
    for plural, position, name, variable, period in wanted(request["household"]):
        where = values
        try:
            computed = sim.calculate(variable, period)
            if hasattr(computed, "decode_to_str"):
                computed = computed.decode_to_str()
            computed = np.asarray(computed)
            if "axes" in household:
                value = [plain(v) for v in computed.reshape((-1, len(household[plural])))[:, position]]
            else:
                value = plain(computed[sim.get_population(plural).get_index(name)])
        except Exception as e:
            where, value = errors, text(e)
        where.setdefault(plural, {}).setdefault(name, {}).setdefault(variable, {})[period] = value
    return values, errors


def without(household, errors):
    """Returns the household without the questions that raise."""
    household = json.loads(json.dumps(household))
    for plural, table in errors.items():
        for name, variables in table.items():
            for variable, periods in variables.items():
                given = household[plural][name][variable]
                for period in periods:
                    del given[period]
                if not given:
                    del household[plural][name][variable]
    return household


def recorded(country, package, request):
    values, errors = forked(country, package, request)
    while errors:
        request["household"] = without(request["household"], errors)
        request["errors"] = merged(request.get("errors", {}), errors)
        values, errors = forked(country, package, request)
    return {**request, "answer": values}


def merged(a, b):
    return {k: merged(a[k], b[k]) if k in a and k in b else (a.get(k) or b.get(k)) for k in {**a, **b}}


def text(e):
    if os.environ.get("TRACEBACKS"):
        traceback.print_exception(e, file=sys.__stderr__)
    return f"{type(e).__name__}: {' '.join(str(e).split())[:200]}"


def forked(country, package, request):
    if country != "uk" and not request.get("policy"):
        gc.collect()
        gc.freeze()  # what is left are caches of the law
        return answer(country, package, request)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        with os.fdopen(write, "w") as out, contextlib.redirect_stdout(io.StringIO()):
            json.dump(answer(country, package, request), out)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as given:
        said = given.read()
    _, status = os.waitpid(child, 0)
    return json.loads(said) if said else ({"error": f"ended with status {status}"}, {})


def main(country, out, count=None):
    warnings.simplefilter("ignore")
    logging.disable()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    package = importlib.import_module("policyengine_" + country)
    if country == "uk":
        import policyengine_uk.system as package
    requests = list(draw.requests(country, int(count or draw.COUNT[country])))
    answer(country, package, next(one for one in requests if one["kind"] == "one"))
    gc.freeze()
    gc.disable()
    done = set()
    if os.path.exists(out):
        with open(out) as f:
            done = {json.loads(line)["number"] for line in f}
    with open(out, "a") as f:
        for number in sorted(range(len(requests)), key=lambda i: "policy" in requests[i]):  # those with a policy take longest
            if number not in done:
                line = recorded(country, package, {"number": number, **requests[number]})
                f.write(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n")
                f.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
