"""What microdf says of samples.csv, as the beginning of answers.csv. python answers.py && Rscript answers.R"""

import csv
import warnings

import microdf
import pandas

warnings.simplefilter("ignore")
samples = pandas.read_csv("samples.csv")
with open("answers.csv", "w", newline="") as f:
    out = csv.writer(f, lineterminator="\n")
    out.writerow(["set", "source", "measure", "answer"])
    for name, s in samples.groupby("set", sort=False):
        s = s[s.value.notna()]
        frame = microdf.MicroDataFrame({"income": s.value.to_numpy()}, weights=s.weight.to_numpy())
        half = 0.5 * (s.value * s.weight).sum() / s.weight.sum()
        frame["line"] = half
        count = s.weight.sum()
        for measure, answer in {
            "mean": frame.income.mean(),
            "gini": frame.income.gini(),
            "poverty rate at half the mean": frame.poverty_rate("income", "line"),
            "gap at half the mean": frame.poverty_gap("income", "line") / half / count,
        }.items():
            out.writerow([name, "microdf", measure, repr(float(answer))])
