# The zero of a function between two bounds: the same points, and the same bits.
import math

import numpy as np
from scipy.optimize import brentq


def told(f, a, b, **more):
    points = []

    def noting(x, *args):
        points.append(x)
        return f(x, *args)

    try:
        print(repr(brentq(noting, a, b, **more)), len(points), [p.hex() for p in points[-3:]])
    except (ValueError, RuntimeError, TypeError) as e:
        print(type(e).__name__, e, len(points))


functions = {
    "root": (lambda x: x * x - 2, 0, 2), "cosine": (lambda x: math.cos(x) - x, 0, 1), "cubic": (lambda x: (x - 1) * (x - 1) * (x - 1), -2.0, 7.5), "steep": (lambda x: math.exp(x) - 1e6, -5, 50),
    "flat": (lambda x: x / (1 + abs(x)) * 1e-9, -3, 8), "jump": (lambda x: -1.0 if x < 1 / 3 else 1.0, 0, 1), "low": (lambda x: x - 1e-300, -1, 1), "fifth": (lambda x: x * x * x * x * x, -1, 4), "backwards": (lambda x: x - 0.1, 5, -5),
    "at a": (lambda x: x, 0, 3), "at b": (lambda x: x - 3, 0, 3), "no": (lambda x: x * x + 1, -1, 1), "nan": (lambda x: float("nan"), -1, 1), "whole": (lambda x: 1 if x > 0.25 else -1, -1, 1), "huge": (lambda x: x - 1e200, 1, 1e300),
}
for name, (f, a, b) in functions.items():
    print(name)
    told(f, a, b)
    told(f, a, b, xtol=1e-4, rtol=1e-6)
    told(f, a, b, maxiter=4)
    told(f, a, b, maxiter=4, disp=False)
scores = np.array([1.5, 2.0, 8.0, 0.25], dtype=np.float32)
before = np.array([10, 20, 0, 40], dtype=np.float32)


def budget(x, total):
    amounts = np.where(before == 0, scores * x, np.minimum(1.2 * before, np.maximum(0.9 * before, scores * x)))
    return x - total / float(np.sum(amounts / x))


told(budget, 1e-6, 1e6, args=(100,))
told(budget, 1e-6, 1e6, args=140.5)
told(lambda x: float(np.float32(x) - np.float32(0.3)), 0, 1)
told(lambda x: x, -1, 1, xtol=0)
told(lambda x: x, -1, 1, rtol=1e-17)
