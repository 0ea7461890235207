"""Writes scipy.json: what scipy.optimize.fsolve answers for the systems of solve_test.go.

    python record.py > scipy.json
"""
import json
import sys
import warnings

import numpy as np
from scipy.optimize import fsolve


def rosenbrock(x):
    return [1 - x[0], 10 * (x[1] - x[0] ** 2)]


def powell_singular(x):
    return [x[0] + 10 * x[1], 5 ** 0.5 * (x[2] - x[3]), (x[1] - 2 * x[2]) ** 2, 10 ** 0.5 * (x[0] - x[3]) ** 2]


def powell_badly_scaled(x):
    return [1e4 * x[0] * x[1] - 1, np.exp(-x[0]) + np.exp(-x[1]) - 1.0001]


def wood(x):
    a, b = x[1] - x[0] ** 2, x[3] - x[2] ** 2
    return [-200 * x[0] * a - (1 - x[0]), 200 * a + 20.2 * (x[1] - 1) + 19.8 * (x[3] - 1),
            -180 * x[2] * b - (1 - x[2]), 180 * b + 20.2 * (x[3] - 1) + 19.8 * (x[1] - 1)]


def brown(x):
    n = len(x)
    return [x[i] + sum(x) - (n + 1) for i in range(n - 1)] + [np.prod(x) - 1]


def boundary(x):
    n = len(x)
    h = 1 / (n + 1)
    at = [0, *x, 0]
    return [2 * at[i] - at[i - 1] - at[i + 1] + h * h * (at[i] + i * h + 1) ** 3 / 2 for i in range(1, n + 1)]


def tridiagonal(x):
    at = [0, *x, 0]
    return [(3 - 2 * at[i]) * at[i] - at[i - 1] - 2 * at[i + 1] + 1 for i in range(1, len(x) + 1)]


def cubic(x):
    return [v ** 3 - 2 * v - 5 for v in x]


def unsolvable(x):
    return [v * v + 1 for v in x]


def net(x):
    # A wage less contributions and a progressive tax, against 1500 a month.
    out = []
    for gross in x:
        base = gross * (1 - 0.0918)
        tax = max(base - 416, 0) * 0.26 + max(base - 1666, 0) * 0.02 + max(base - 2500, 0) * 0.04
        out.append(base - tax - 1500)
    return out


def net32(x):
    # The same in the precision of 32 bits, as formulas compute it.
    f = np.float32
    out = []
    for gross in x:
        base = f(gross) * f(1 - 0.0918)
        tax = max(base - f(416), f(0)) * f(0.26) + max(base - f(1666), f(0)) * f(0.02)
        out.append(base - tax - f(1500))
    return np.array(out, dtype=np.float32)


CASES = [
    (rosenbrock, [-1.2, 1], {}), (rosenbrock, [-12, 10], {}), (rosenbrock, [-1.2, 1], {"factor": 0.1}),
    (rosenbrock, [-1.2, 1], {"diag": [2, 0.5]}), (rosenbrock, [-1.2, 1], {"epsfcn": 1e-8}),
    (powell_singular, [3, -1, 0, 1], {"xtol": 1e-4}), (powell_badly_scaled, [0, 1], {}),
    (wood, [-3, -1, -3, -1], {}), (brown, [0.5] * 4, {}), (brown, [0.5] * 10, {}),
    (boundary, [-0.1, -0.15, -0.18, -0.15, -0.1], {}), (boundary, [-0.1] * 8, {"band": (1, 1)}),
    (tridiagonal, [-1] * 7, {}), (tridiagonal, [-1] * 12, {"band": (1, 1)}),
    (cubic, [2], {}), (cubic, [0], {}), (cubic, [100], {}), (cubic, [2, 10, -1], {}),
    (unsolvable, [1], {}), (unsolvable, [3, 4], {}), (cubic, [1000], {"maxfev": 5}),
    (net, [1500], {}), (net, [1500], {"xtol": 0.001}), (net, [300], {"xtol": 0.01}), (net, [0], {}),
    (net, [1500, 4000], {}), (net32, [1500], {"xtol": 0.001}), (net32, [1875], {"xtol": 0.01}), (net32, [1500], {}),
]

warnings.simplefilter("ignore")
out = []
for system, start, options in CASES:
    x, info, status, _ = fsolve(system, start, full_output=True, **options)
    out.append({"system": system.__name__, "start": start, "options": options, "x": x.tolist(),
                "f": info["fvec"].tolist(), "calls": info["nfev"], "status": status})
json.dump(out, sys.stdout, indent=1)
print()
