"""Records the weights that samplics (GREG) and ipfn (raking of margins) give for samples.csv: python answers.py"""

import csv

import numpy as np
import pandas as pd
from ipfn import ipfn
from samplics.weighting import SampleWeight

samples, totals = pd.read_csv("samples.csv"), pd.read_csv("totals.csv")
with open("answers.py.csv", "w", newline="") as file:
    out = csv.writer(file, lineterminator="\n")
    out.writerow(["set", "source", "method", "low", "high", "unit", "weight"])
    names = [f"x{i}" for i in range(1, 7)]
    for number, sample in samples.groupby("set"):
        wanted = totals[totals["set"] == number].iloc[0]
        weights = SampleWeight().calibrate(sample["d"].to_numpy(), sample[names], {n: float(wanted[n]) for n in names})
        for unit, weight in zip(sample["unit"], weights):
            out.writerow([number, "samplics", "linear", 0, 0, unit, repr(float(weight))])
        # ipfn rakes tables: margins of sex and of region, whose third value has the rest.
        table = pd.DataFrame({"sex": np.where(sample["x1"] == 1, 1, 2), "region": np.select([sample["x3"] == 1, sample["x4"] == 1], [1, 2], 3), "total": sample["d"]})
        cells = table.groupby(["sex", "region"], as_index=False)["total"].sum()
        before = cells["total"].copy()
        sex = pd.Series([wanted["x1"], wanted["x2"]], index=pd.Index([1, 2], name="sex"), name="total")
        region = pd.Series([wanted["x3"], wanted["x4"], wanted["x1"] + wanted["x2"] - wanted["x3"] - wanted["x4"]], index=pd.Index([1, 2, 3], name="region"), name="total")
        cells = ipfn.ipfn(cells.copy(), [sex, region], [["sex"], ["region"]], convergence_rate=1e-15, max_iteration=5000, rate_tolerance=0).iteration()
        ratio = {(s, r): after / b for s, r, after, b in zip(cells["sex"], cells["region"], cells["total"], before)}
        for unit, s, r, d in zip(sample["unit"], table["sex"], table["region"], table["total"]):
            out.writerow([number, "ipfn", "margins", 0, 0, unit, repr(float(d * ratio[(s, r)]))])
