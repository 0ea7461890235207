# What few packages use of numpy.
import math

import numpy as np
from numpy import log10, median as middle

a = np.array([3.0, 1.5, 8.25, 2.0, 7.0, 0.5])
f = a.astype(np.float32)
i = np.array([5, 2, 9, 4])
gaps = np.array([2.0, np.nan, 5.0, 1.0])

for x in a, f, i, 4, 2.5:
    print([np.asarray(g(x)).dtype.name for g in (np.sin, np.log2, np.cbrt)])
print(log10(np.array([1.0, 10.0, 1000.0, 1e15, 1e-5])), math.log10(1000), log10(1000000))
print(np.log2(np.array([1, 8, 1024])), np.log1p(0.0), np.expm1(0.0), np.exp2(np.array([3.0, 10.0])), np.cbrt(27.0))
print(np.round(np.sin(a), 12), np.round(np.cos(a), 12), np.round(np.tanh(a), 12))
print(np.round(np.arctan(a), 12), np.round(np.arcsin(0.5), 12), np.round(np.deg2rad(180.0), 12))

print(middle(a), np.median(f), np.median(i), np.median(f).dtype, np.median([1, 2, 3]), np.median(gaps))
for q in 0, 10, 25, 50, 66.6, 90, 100:
    print(q, np.percentile(a, q), np.percentile(i, q), np.quantile(a, q / 100, method="lower"), np.quantile(a, q / 100, method="nearest"))
print(np.percentile(a, [25, 75]), np.percentile(a, 40, method="midpoint"), np.percentile(a, 40, method="higher"))
print(np.var(a), np.std(a), np.std(f).dtype, np.var(i, ddof=1), np.average(a), np.average(i, weights=[1, 2, 3, 4]))
print(np.prod(i), np.prod(a), np.cumprod(i), np.prod(f).dtype, np.prod([]))
print(np.nansum(gaps), np.nanmax(gaps), np.nanmin(gaps), np.nanmean(gaps), np.nanmedian(gaps), np.nansum(i))
print(np.fmax(gaps, 3.0), np.fmin(3.0, gaps), np.fmax(i, 4), np.maximum(gaps, 3.0))
print(np.ptp(i), np.flip(i), np.roll(i, 1), np.roll(i, -1), np.roll(i, 6))
print(np.partition(a, 2)[:3].max(), np.sort(np.partition(i, 1)[:2]))
table = np.array([[1.0, 9.0, 4.0], [3.0, 2.0, 8.0]])
print(np.apply_along_axis(lambda row: row.max() - row.min(), 1, table), np.apply_along_axis(sum, 0, table))
print(np.median(table, axis=1), np.median(table, axis=0), np.median(table), np.prod(table, axis=1), np.var(table, axis=0))
print(np.interp([0.0, 1.0, 1.5, 2.0, 3.5, 9.0], [1.0, 2.0, 4.0], [10.0, 20.0, 0.0]), np.interp(2.5, [1, 2, 3], [3, 2, 0]))
print(np.interp([0.0, 5.0], [1.0, 2.0], [10.0, 20.0], left=-1, right=-2))
print(np.union1d(i, [1, 9]), np.intersect1d(i, [9, 2, 7]), np.setdiff1d(i, [9, 2, 7]))
print(np.extract(i > 3, i), np.compress([True, False, True, False], i), np.take(i, [3, 0]), np.choose([0, 1, 1], [[1, 2, 3], [10, 20, 30]]))
print(np.allclose([1.0, 2.0], [1.0, 2.0 + 1e-10]), np.allclose(1.0, 1.1))
print(hasattr(np, "median"), hasattr(np, "no_such_name"))
try:
    from numpy import no_such_name
except ImportError:
    print("no such name")

# A text is a condition by the number it is.
marks = np.where(a > 2, "0", "1")
print(marks, np.where(marks, a, -1), np.where(np.array(["00", "-3", " 7 "]), 1, 2), marks.astype(bool), np.where(marks.astype("S1"), 1, 2))
for words in ["x"], [""], ["1.0"]:
    try:
        print(np.where(np.array(words), 1, 2))
    except ValueError as e:
        print("ValueError")
    try:
        print(np.array(words).astype(bool))
    except ValueError as e:
        print("ValueError")

# As many functions as conditions, or one more.
steps = np.array([1.0, 2.0, 3.0])
print(np.piecewise(steps, [steps > 1, steps > 2], [5, lambda v: v * 10, -1]).tolist(), np.piecewise(steps, [steps > 1], [5]).tolist())
for conditions, functions in (([steps > 1, steps > 2], [1]), ([steps > 1], []), ([steps > 1], [1, 2, 3])):
    try:
        np.piecewise(steps, conditions, functions)
    except ValueError as e:
        print("ValueError", e)
