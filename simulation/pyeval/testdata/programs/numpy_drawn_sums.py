# Sums, extremes, ranks and what leaves out NaN, along axes.
import warnings

import numpy as np
from drawn import FULL, Draw, ask, named

warnings.simplefilter("ignore")
DRAWS = 10
SUMS = "sum prod mean std var min max amin amax all any ptp median nansum nanprod nanmean nanstd nanvar nanmin nanmax nanmedian".split()
for k, name in enumerate(SUMS):
    d = Draw(k + 1)
    for _ in range(DRAWS):
        a = d.array(d.of(FULL) if "median" in name else None, nans=True)
        keywords = {"axis": d.axis(a.ndim, several=True)}
        if d.below(3) == 0:
            keywords["keepdims"] = True
        if name in ("sum", "prod", "mean", "std", "var") and d.below(5) == 0:
            keywords["dtype"] = d.of(["float32", "float64"])
        if name in ("std", "var", "nanstd", "nanvar") and d.below(3) == 0:
            keywords["ddof"] = 1
        if name in ("sum", "prod", "mean", "std", "var", "all", "any") and d.below(3) == 0:
            keywords["where"] = d.array(a.shape, types=["bool"])
        if name in ("sum", "prod", "min", "max") and a.size and d.below(4) == 0:
            keywords["initial"] = 2
        ask(name, named(name), [a], keywords)
for k, name in enumerate("argmin argmax nanargmin nanargmax cumsum cumprod nancumsum nancumprod sort argsort cumulative_sum cumulative_prod count_nonzero".split()):
    d = Draw(k + 101)
    for _ in range(DRAWS):
        a = d.array(nans=name.startswith("nan") or "sort" in name)
        keywords = {"axis": d.axis(a.ndim)}
        if name.startswith("cumulative") and d.below(2):
            keywords["include_initial"] = True
        if "arg" in name and name != "argsort" and d.below(3) == 0:
            keywords["keepdims"] = True
        if name == "argsort":
            keywords["kind"] = "stable"
        ask(name, named(name), [a], keywords)
for k, name in enumerate("quantile percentile nanquantile nanpercentile".split()):
    d = Draw(k + 201)
    for _ in range(DRAWS):
        a = d.array(d.of(FULL), nans=True, types=["int32", "int64", "float32", "float64"])
        q = d.of([0.0, 0.25, 0.5, 1.0, [0.1, 0.75], np.array([0.0, 0.5, 1.0])])
        if "percent" in name:
            q = q * 100 if isinstance(q, float) else np.asarray(q) * 100
        keywords = {"axis": d.axis(a.ndim, several=True), "method": d.of(["linear", "linear", "lower", "higher", "midpoint", "nearest"])}
        if d.below(3) == 0:
            keywords["keepdims"] = True
        ask(name, named(name), [a, q], keywords)
d = Draw(301)
for _ in range(DRAWS * 2):
    a = d.array(d.of(FULL))
    keywords = {"axis": d.axis(a.ndim)}
    if d.below(3):
        keywords["weights"] = d.array(a.shape, least=1)
    if d.below(3) == 0:
        keywords["returned"] = True
    if d.below(3) == 0:
        keywords["keepdims"] = True
    ask("average", np.average, [a], keywords)
for k, name in enumerate("unique unique_counts unique_inverse unique_all".split()):
    d = Draw(k + 401)
    for _ in range(DRAWS // 2):
        a = d.array()
        keywords = {} if name != "unique" else {w: True for w in ("return_index", "return_inverse", "return_counts") if d.below(2)}
        ask(name, named(name), [a], keywords)
for k, name in enumerate("union1d intersect1d setdiff1d setxor1d isin searchsorted digitize".split()):
    d = Draw(k + 501)
    for _ in range(DRAWS):
        a, b = d.array(), d.array()
        keywords = {}
        if name in ("searchsorted", "digitize"):
            b = np.sort(b.ravel())
            a, b = (b, a) if name == "searchsorted" else (a, b)
        if name == "searchsorted":
            keywords["side"] = d.of(["left", "right"])
        if name == "digitize":
            keywords["right"] = bool(d.below(2))
        if name == "isin" and d.below(2):
            keywords["invert"] = True
        if name == "intersect1d" and d.below(2):
            keywords["return_indices"] = True
        ask(name, named(name), [a, b], keywords)
for k, name in enumerate("histogram histogram_bin_edges histogram2d bincount lexsort".split()):
    d = Draw(k + 601)
    for _ in range(DRAWS):
        a = d.array(types=["int32", "int64", "float64"])
        keywords = {}
        if name == "bincount":
            a = d.array(d.of([(0,), (4,), (6,)]), types=["int32", "int64"], least=0)
            keywords = d.of([{}, {"minlength": 9}, {"weights": d.array(a.shape, types=["int32", "float64"])}])
            ask(name, np.bincount, [a], keywords)
        elif name == "lexsort":
            ask(name, np.lexsort, [(d.array(a.shape), a)])
        else:
            if name == "histogram2d":
                a = a.ravel()
            keywords = d.of([{}, {"bins": 3}, {"bins": [-2, 0, 1, 5]}, {"bins": 4, "range": (-1, 3)}])
            if name == "histogram2d":
                keywords = d.of([{}, {"bins": 3}, {"bins": (2, 3)}])
            if name != "histogram_bin_edges" and d.below(3) == 0:
                keywords["density"] = True
            if name != "histogram_bin_edges" and d.below(3) == 0:
                keywords["weights"] = d.array(a.shape, types=["int32", "float64"], least=1)
            ask(name, named(name), [a, d.array(a.shape, types=["int32", "float64"])] if name == "histogram2d" else [a], keywords)
