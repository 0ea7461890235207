# Ranks, quantiles and sums by weight.
import numpy as np
from microdf import MicroSeries

s = MicroSeries(np.array([5.0, -1.0, 5.0, 20.0, 0.0]), weights=np.array([1.0, 2.0, 1.0, 4.0, 2.0]))
print(np.asarray(s.rank()).tolist(), np.asarray(s.rank(pct=True)).tolist())
print(np.asarray(s.decile_rank()).tolist(), np.asarray(s.decile_rank(negatives_in_zero=True)).tolist())
print(np.asarray(s.quintile_rank()).tolist(), np.asarray(s.quartile_rank()).tolist(), np.asarray(s.percentile_rank()).tolist())
print(np.asarray(MicroSeries(np.array([1.0, 2.0])).decile_rank()).tolist())
try:
    MicroSeries(np.array([1.0]), weights=np.array([0.0])).rank()
except ZeroDivisionError:
    print("no weight")

print(s.median(), s.quantile(0.1), s.quantile(0.6), s.quantile(1), s.sum(), s.mean(), s.count())
print(MicroSeries(np.array([3.0, np.nan, 1.0]), weights=np.array([1.0, 9.0, 1.0])).median(), MicroSeries(np.array([10.0, 20.0, 30.0]), weights=np.array([0.0, 1.0, 1.0])).quantile(0))
print(MicroSeries(np.array([1.0, 2.0, 4.0], dtype=np.float32), weights=np.array([1.0, 1.0, 5.0], dtype=np.float32)).median())
