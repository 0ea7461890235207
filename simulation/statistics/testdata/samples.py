"""Makes samples.csv: weighted incomes with ties, zeros, negative and missing values, zero weights. Run it, then
answers.py (microdf) and answers.R (laeken, ineq), which write answers.csv together."""

import csv
import random

random.seed(20261116)


def lognormal(n):
    return [round(random.lognormvariate(9.9, 0.6), 2) for _ in range(n)]


def ones(n):
    return [1] * n


def weights(n):
    return [round(random.uniform(0.5, 40), 2) for _ in range(n)]


SETS = {
    "four": ([1, 2, 3, 4], ones(4)),
    "five": ([10, 20, 30, 40, 50], ones(5)),
    "equal": ([7] * 12, ones(12)),
    "one": ([1200], [3]),
    "two": ([0, 100], [1, 1]),
    "ties": ([5, 5, 5, 8, 8, 13, 13, 13, 13, 21], ones(10)),
    "ties weighted": ([5, 5, 5, 8, 8, 13, 13, 13, 13, 21], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
    "zeros": ([0] * 5 + lognormal(45), ones(50)),
    "zeros weighted": ([0] * 5 + lognormal(45), weights(50)),
    "negative": ([-4000, -150, -0.5] + lognormal(60), ones(63)),
    "negative weighted": ([-4000, -150, -0.5] + lognormal(60), weights(63)),
    "zero weights": (lognormal(80), [0 if i % 7 == 0 else 1 + i % 5 for i in range(80)]),
    "first without weight": ([1] + lognormal(20), [0] + weights(20)),
    "missing": ([None if i % 9 == 0 else v for i, v in enumerate(lognormal(90))], ones(90)),
    "missing weighted": ([None if i % 9 == 0 else v for i, v in enumerate(lognormal(90))], weights(90)),
    "unweighted 100": (lognormal(100), ones(100)),
    "unweighted 999": (lognormal(999), ones(999)),
    "weighted 100": (lognormal(100), weights(100)),
    "weighted 1000": (lognormal(1000), weights(1000)),
    "whole weights": (lognormal(400), [random.randint(1, 900) for _ in range(400)]),
    "heavy tail": ([round(random.paretovariate(1.4) * 1000, 2) for _ in range(500)], weights(500)),
    "rounded": ([round(v, -3) for v in lognormal(600)], weights(600)),
    "rounded alike": ([round(v, -3) for v in lognormal(600)], ones(600)),
    "great weights": (lognormal(300), [w * 1e6 for w in weights(300)]),
    "small": ([v / 1e6 for v in lognormal(300)], weights(300)),
    "everything": (
        [None if i % 31 == 0 else -v if i % 17 == 0 else 0 if i % 11 == 0 else round(v, -2) for i, v in enumerate(lognormal(700))],
        [0 if i % 13 == 0 else w for i, w in enumerate(weights(700))],
    ),
}

with open("samples.csv", "w", newline="") as f:
    out = csv.writer(f, lineterminator="\n")
    out.writerow(["set", "value", "weight"])
    for name, (values, of) in SETS.items():
        for v, w in zip(values, of):
            out.writerow([name, "" if v is None else repr(v), repr(w)])
