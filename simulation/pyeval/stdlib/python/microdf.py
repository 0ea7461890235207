# The part of microdf that formulas use: series with a weight for each value, and ranks by weight.
import numpy as _np
import pandas as _pd


class MicroSeries(_pd.Series):
    def __init__(self, data=None, index=None, weights=None):
        super().__init__(data, index=index)
        n = len(self)
        self.weights = _pd.Series(_np.ones(n) if weights is None else _np.asarray(weights, dtype=float) * _np.ones(n))

    def rank(self, pct=False):
        """The weight of all values that are not larger."""
        values, weights = _np.asarray(self.values), _np.asarray(self.weights.values)
        whole = weights.sum()
        if whole == 0:
            raise ZeroDivisionError("there is no rank where all weights are zero")
        order = _np.argsort(values, kind="stable")
        ordered = values[order]
        upto = _np.cumsum(weights[order])[_np.searchsorted(ordered, values, side="right") - 1]
        return MicroSeries(_np.minimum(upto / whole, 1) if pct else upto, weights=weights)

    def quantile(self, q):
        """The smallest value that has this share of the weight at or below it; values that are missing or have no weight do not count."""
        values, weights = _np.asarray(self.values), _np.asarray(self.weights.values)
        counts = (weights > 0) & ~_np.isnan(values)
        if not counts.any():
            return _np.nan
        values, weights = values[counts], weights[counts]
        order = _np.argsort(values, kind="stable")
        upto = _np.cumsum(weights[order])
        return values[order][min(int(_np.searchsorted(upto / upto[-1], q)), len(values) - 1)]

    def median(self):
        return self.quantile(0.5)

    def sum(self):
        return (_np.asarray(self.values) * _np.asarray(self.weights.values)).sum()

    def mean(self):
        return _np.average(_np.asarray(self.values), weights=_np.asarray(self.weights.values))

    def count(self):
        return self.weights.values.sum()

    def _class(self, n):
        return MicroSeries(_np.minimum(_np.ceil(_np.asarray(self.rank(pct=True).values) * n), n), weights=self.weights.values)

    def decile_rank(self, negatives_in_zero=False):
        below = _np.asarray(self.values) < 0
        if not negatives_in_zero or not below.any():
            return self._class(10)
        out = _np.zeros(len(self))
        if not below.all():
            out[~below] = MicroSeries(_np.asarray(self.values)[~below], weights=_np.asarray(self.weights.values)[~below])._class(10).values
        return MicroSeries(out, weights=self.weights.values)

    def quintile_rank(self):
        return self._class(5)

    def quartile_rank(self):
        return self._class(4)

    def percentile_rank(self):
        return self._class(100)


class MicroDataFrame:
    def __init__(self, *args, **kwargs):
        raise NotImplementedError("microdf.MicroDataFrame cannot be used: of microdf only MicroSeries is there")
