"""Records what policyengine-core's own runner says of a package's YAML tests, a line per file: passed, failed, its name.

    python record.py policyengine_us FILES OUT [reforms]

FILES is the directory of the package with its tests. What OUT has is not run again, so that it can be stopped at any time. Files whose cases
change the law are left out, or with "reforms" are those that are run. The order is drawn: a file of each part of the tests (each
state, each programme) in turn. What failed is told on standard output.
"""

import collections
import contextlib
import gc
import importlib
import io
import os
import random
import sys

import pytest
import yaml
from policyengine_core.tools.test_runner import OpenFiscaPlugin


def changes_law(cases):
    """Whether a case asks for a reform or has a parameter among its inputs."""
    return any(c.get("reforms") or c.get("extensions") or any("." in str(k) for k in c.get("input") or {}) for c in cases)


def drawn(root, reforms):
    parts = collections.defaultdict(list)
    for where, _, names in os.walk(os.path.join(root, "tests")):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(where, name), root)
            if not name.endswith((".yaml", ".yml")):
                continue
            with open(os.path.join(root, path)) as f:
                cases = yaml.load(f, Loader=yaml.CSafeLoader)
            if changes_law(cases if isinstance(cases, list) else [cases]) == reforms:
                parts["/".join(path.split("/")[:-1][:6])].append(path)
    random.seed(23)
    for part in sorted(parts):
        random.shuffle(parts[part])
    while any(parts.values()):
        yield from (parts[part].pop() for part in sorted(parts) if parts[part])


class Verdicts:
    def __init__(self):
        self.passed = self.failed = 0

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failed += 1
            print(report.longreprtext[-1500:], file=sys.__stdout__, flush=True)
        elif report.when == "call" and report.passed:
            self.passed += 1

    def pytest_runtest_teardown(self, item):
        item.simulation = item.tax_benefit_system = None  # a file may have hundreds of cases


def main(package, root, out, *reforms):
    done = set()
    if os.path.exists(out):
        with open(out) as f:
            done = {line.rstrip("\n").split(" ", 2)[2] for line in f}
    files = [path for path in drawn(root, bool(reforms)) if path not in done]
    system = importlib.import_module(package + ".system").system
    options = ["-q", "--noconftest", "--rootdir=/", "-p", "no:cacheprovider", "-p", "no:unraisableexception", "-p", "no:threadexception"]
    for i, path in enumerate(files):
        verdicts = Verdicts()
        with contextlib.redirect_stdout(io.StringIO()):
            pytest.main([*options, os.path.join(root, path)], plugins=[OpenFiscaPlugin(system, {}), verdicts])
        with open(out, "a") as f:
            f.write(f"{verdicts.passed} {verdicts.failed} {path}\n")
        if i == 0:
            gc.collect()
            gc.freeze()  # the law, and the copy of it that the first case has made


main(*sys.argv[1:])
