# Functions of numpy that sum up, rank and count, over those in Go.
import numpy as _np
from collections import namedtuple as _namedtuple


def _axes(axis, dims):
    out = []
    for k in range(dims) if axis is None else axis if isinstance(axis, tuple) else (axis,):
        if not -dims <= k < dims:
            raise ValueError(f"axis {k} is out of bounds for array of dimension {dims}")
        out.append(k % dims)
    return out


def _places_along(a, axis):
    n = 1
    for k in _axes(axis, a.ndim):
        n *= a.shape[k]
    return n


def _lanes(f, a, axis=None, keepdims=False):
    # f of what is along axes, as an array of one dimension.
    axes = _axes(axis, a.ndim)
    rest = [k for k in range(a.ndim) if k not in axes]
    shape = tuple(1 if k in axes else n for k, n in enumerate(a.shape)) if keepdims else tuple(a.shape[k] for k in rest)
    if not rest:
        out = f(a.ravel())
        return _np.reshape(out, shape) if keepdims else out
    size = 1
    for k in rest:
        size *= a.shape[k]
    rows = a.transpose(rest + axes).reshape(size, _places_along(a, axis))
    if size == 0:
        return _np.zeros(shape, dtype=f(_np.zeros(1, dtype=a.dtype)).dtype)
    return _np.array([f(row) for row in rows]).reshape(shape)


def _as_floats(a):
    a = _np.asarray(a)
    return a if a.dtype in (_np.float32, _np.float64) else a.astype(_np.float64)


def _ratio(total, n):
    # Divided by a count of the same type, so that it stays what it is.
    return total / _np.asarray(n).astype(total.dtype)


def _mean_where(a, axis, dtype, keepdims, where):
    a = _as_floats(a) if dtype is None else a.astype(dtype)
    where = _np.broadcast_to(where, a.shape)
    return _ratio(_np.sum(a, axis=axis, keepdims=keepdims, where=where), _np.sum(where, axis=axis, keepdims=keepdims))


def _floats_of(a, dtype):
    a = _as_floats(a) if dtype is None else _np.asarray(a).astype(dtype)
    if a.dtype.kind != "f":
        raise NotImplementedError(f"variances with dtype={a.dtype} are not there: convert what they give")
    return a


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None):
    a = _floats_of(a, dtype)
    ddof = ddof if correction is None else correction
    if where is not None:
        where = _np.broadcast_to(where, a.shape)
        n = _np.sum(where, axis=axis, keepdims=True)
        d = _np.where(where, a - _ratio(_np.sum(_np.where(where, a, 0).astype(a.dtype), axis=axis, keepdims=True), n), 0).astype(a.dtype)
        n = n if keepdims else _np.sum(where, axis=axis)
    else:
        n = _places_along(a, axis)
        d = a - (_np.mean(a, axis=axis, keepdims=True) if mean is None else mean)
    return _ratio(_np.sum(d * d, axis=axis, keepdims=keepdims), _np.maximum(n - ddof, 0))


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None):
    return _np.sqrt(var(a, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction))


def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    a = _np.asarray(a)
    if weights is None:
        out = _np.mean(a, axis=axis, keepdims=keepdims)
        return (out, _np.full(_np.shape(out), _places_along(a, axis)).astype(out.dtype)) if returned else out
    weights = _np.asarray(weights)
    if weights.shape != a.shape:
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        axes = _axes(axis, a.ndim)
        if weights.shape != tuple(a.shape[k] for k in axes):
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        order = sorted(range(len(axes)), key=lambda i: axes[i])
        weights = _np.transpose(weights, order).reshape(tuple(n if k in axes else 1 for k, n in enumerate(a.shape)))
        weights = _np.broadcast_to(weights, a.shape)
    weights = weights if a.dtype in (_np.float32, _np.float64) else weights.astype(_np.float64)
    total = _np.sum(weights.astype((a[:0] * weights[:0]).dtype) if a.ndim else weights, axis=axis, keepdims=keepdims)
    if (total == 0).any():
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    out = _np.sum(a * weights, axis=axis, keepdims=keepdims) / total
    return (out, total) if returned else out


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    return _lanes(_middle, _as_floats(a), axis, keepdims)


def _middle(a):
    n = len(a)
    if n == 0 or _np.isnan(a).any():
        return a.dtype.type(_np.nan)
    a = _np.sort(a)
    return a[(n - 1) // 2:n // 2 + 1].mean()


def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None, interpolation=None):
    method = interpolation or method
    if method not in ("linear", "lower", "higher", "nearest", "midpoint"):
        raise NotImplementedError(f"numpy.quantile with method {method!r}: use 'linear', 'lower', 'higher', 'nearest' or 'midpoint'")
    if weights is not None:
        raise NotImplementedError("numpy.quantile with weights is not supported")
    a, q = _np.asarray(a), _np.asarray(q)
    if not ((q >= 0) & (q <= 1)).all():
        raise ValueError("Quantiles must be in the range [0, 1]")
    a = a if method in ("lower", "higher", "nearest") and a.dtype != bool else _as_floats(a)
    if q.ndim == 0:
        return _lanes(lambda row: _at_rank(_np.sort(row), q, method), a, axis, keepdims)
    if method in ("linear", "midpoint"):
        a = a.astype(_np.float64)
    parts = _np.stack([quantile(a, x, axis, method=method, keepdims=keepdims) for x in q.ravel()])
    return parts.reshape(q.shape + parts.shape[1:])


def _at_rank(a, q, method):
    if len(a) == 0:
        if a.dtype not in (_np.float32, _np.float64):
            raise IndexError("index -1 is out of bounds for axis 0 with size 0")
        return a.dtype.type(_np.nan)
    if a.dtype in (_np.float32, _np.float64) and _np.isnan(a).any():
        return a.dtype.type(_np.nan)
    at = float(q) * (len(a) - 1)
    low = int(at // 1)
    high = min(low + 1, len(a) - 1)
    part = at - low
    if method == "lower" or part == 0:
        return a[low]
    if method == "higher":
        return a[high]
    if method == "nearest":
        return a[int(_np.rint(at))]
    if method == "midpoint":
        part = 0.5
    gap = a[high] - a[low]
    return (a[high] - gap * (1 - part) if part >= 0.5 else a[low] + gap * part).astype(a.dtype)


def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None, interpolation=None):
    return quantile(a, _np.true_divide(q, 100), axis, method=method, keepdims=keepdims, weights=weights, interpolation=interpolation)


def _filled(a, value):
    a = _np.asarray(a)
    return _np.where(_np.isnan(a), a.dtype.type(value), a) if a.dtype in (_np.float32, _np.float64) else a


def nansum(a, axis=None, dtype=None, out=None, keepdims=False):
    return _np.sum(_filled(a, 0), axis=axis, dtype=dtype, keepdims=keepdims)


def nanprod(a, axis=None, dtype=None, out=None, keepdims=False):
    return _np.prod(_filled(a, 1), axis=axis, dtype=dtype, keepdims=keepdims)


def nancumsum(a, axis=None, dtype=None, out=None):
    return _np.cumsum(_filled(a, 0), axis=axis, dtype=dtype)


def nancumprod(a, axis=None, dtype=None, out=None):
    return _np.cumprod(_filled(a, 1), axis=axis, dtype=dtype)


def _nan_extreme(name, worst):
    def f(a, axis=None, out=None, keepdims=False):
        a = _np.asarray(a)
        best = getattr(_np, name)(_filled(a, worst), axis=axis, keepdims=keepdims)
        if a.dtype not in (_np.float32, _np.float64):
            return best
        return _np.where(_np.all(_np.isnan(a), axis=axis, keepdims=keepdims), a.dtype.type(_np.nan), best)

    return f


nanmax, nanmin = _nan_extreme("max", -_np.inf), _nan_extreme("min", _np.inf)


def _nan_place(name, worst):
    def f(a, axis=None, out=None, *, keepdims=False):
        a = _np.asarray(a)
        if a.dtype in (_np.float32, _np.float64) and _np.any(_np.all(_np.isnan(a), axis=axis)):
            raise ValueError("All-NaN slice encountered")
        return getattr(_np, name)(_filled(a, worst), axis=axis, keepdims=keepdims)

    return f


nanargmax, nanargmin = _nan_place("argmax", -_np.inf), _nan_place("argmin", _np.inf)


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False):
    a = _as_floats(a) if dtype is None else _np.asarray(a).astype(dtype)
    return _ratio(nansum(a, axis, keepdims=keepdims), _np.sum(~_np.isnan(a), axis=axis, keepdims=keepdims))


def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    a = _floats_of(a, dtype)
    known = ~_np.isnan(a)
    d = _np.where(known, a - nanmean(a, axis, keepdims=True), a.dtype.type(0))
    n = _np.sum(known, axis=axis, keepdims=keepdims) - ddof
    out = _ratio(_np.sum(d * d, axis=axis, keepdims=keepdims), _np.maximum(n, 0))
    return _np.where(n <= 0, out.dtype.type(_np.nan), out)


def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    return _np.sqrt(nanvar(a, axis, dtype, out, ddof, keepdims))


def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    return _lanes(lambda row: _middle(row[~_np.isnan(row)]), _as_floats(a), axis, keepdims)


def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    a, q = _np.asarray(a), _np.asarray(q)
    if a.dtype not in (_np.float32, _np.float64):
        return quantile(a, q, axis, method=method, keepdims=keepdims)
    if q.ndim == 0:
        return _lanes(lambda row: quantile(row[~_np.isnan(row)], q, method=method), a, axis, keepdims)
    if method in ("linear", "midpoint"):
        a = a.astype(_np.float64)
    return _np.stack([nanquantile(a, x, axis, method=method, keepdims=keepdims) for x in q])


def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    return nanquantile(a, _np.true_divide(q, 100), axis, method=method, keepdims=keepdims)


def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=1, where=None):
    a = _np.asarray(a)
    a = a.astype(dtype) if dtype is not None else a.astype(_np.int64) if a.dtype in (bool, _np.int16, _np.int32) else a
    if where is not None:
        a = _np.where(where, a, a.dtype.type(1))
    axes = sorted(_axes(axis, a.ndim))
    rest = [k for k in range(a.ndim) if k not in axes]
    total = _np.full(tuple(a.shape[k] for k in rest), a.dtype.type(initial)) if rest else a.dtype.type(initial)
    for part in a.transpose(axes + rest).reshape((_places_along(a, axis),) + total.shape) if a.ndim else [a]:
        total = total * part
    return total.reshape(tuple(1 if k in axes else n for k, n in enumerate(a.shape))) if keepdims else total


product = prod


def cumprod(a, axis=None, dtype=None, out=None):
    a = _np.asarray(a) if dtype is None else _np.asarray(a).astype(dtype)
    if dtype is not None and a.dtype == bool:
        raise NotImplementedError("cumprod() with dtype=bool is not there: convert what it gives")
    return _np.multiply.accumulate(a.ravel() if axis is None else a, axis=0 if axis is None else axis)


def ptp(a, axis=None, out=None, keepdims=False):
    return _np.max(a, axis=axis, keepdims=keepdims) - _np.min(a, axis=axis, keepdims=keepdims)


def _cumulative(name, first):
    def g(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
        x = _np.asarray(x)
        if axis is None and x.ndim > 1:
            raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        x, axis = _np.atleast_1d(x), 0 if axis is None else axis
        out = getattr(_np, name)(x, axis=axis, dtype=dtype)
        if not include_initial:
            return out
        shape = tuple(1 if k == axis % x.ndim else n for k, n in enumerate(x.shape))
        return _np.concatenate([_np.full(shape, first).astype(out.dtype), out], axis=axis)

    return g


cumulative_sum, cumulative_prod = _cumulative("cumsum", 0), _cumulative("cumprod", 1)


def lexsort(keys, axis=-1):
    keys = [_np.asarray(k) for k in keys]
    if not keys:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if keys[0].ndim == 0:
        return _np.int64(0)
    order = _np.argsort(keys[0], axis=axis, kind="stable")
    for k in keys[1:]:
        by = _np.argsort(_np.take_along_axis(k, order, axis), axis=axis, kind="stable")
        order = _np.take_along_axis(order, by, axis)
    return order


def argpartition(a, kth, axis=-1, kind="introselect", order=None):
    # Sorted altogether, which is one of the orders that numpy may give.
    return _np.argsort(_np.asarray(a).ravel() if axis is None else a, axis=-1 if axis is None else axis)


def partition(a, kth, axis=-1, kind="introselect", order=None):
    return _np.sort(_np.asarray(a).ravel() if axis is None else a, axis=-1 if axis is None else axis)


def msort(a):
    return _np.sort(a, axis=0)


UniqueAllResult = _namedtuple("UniqueAllResult", ["values", "indices", "inverse_indices", "counts"])
UniqueCountsResult = _namedtuple("UniqueCountsResult", ["values", "counts"])
UniqueInverseResult = _namedtuple("UniqueInverseResult", ["values", "inverse_indices"])


def _unique_along(a, axis, index, inverse, counts):
    a = _np.moveaxis(_np.asarray(a), axis, 0)
    n, width = a.shape[0], 1
    for k in a.shape[1:]:
        width *= k
    rows = _np.reshape(a, (n, width))
    order = _np.arange(n) if width == 0 else lexsort([rows[:, k] for k in range(width - 1, -1, -1)])
    ordered = rows[order]
    begins = _np.concatenate([_np.ones(min(n, 1), dtype=bool), _np.any(ordered[1:] != ordered[:-1], axis=1)])
    first = order[begins]
    out = [_np.moveaxis(a[first], 0, axis)]
    if index:
        out.append(first)
    if inverse:
        place = _np.zeros(n, dtype=_np.int64)
        place[order] = _np.cumsum(begins) - 1
        out.append(place)
    if counts:
        out.append(_np.diff(_np.append(_np.flatnonzero(begins), n)))
    return tuple(out) if len(out) > 1 else out[0]


def unique_values(x):
    return _np.unique(x)


def unique_counts(x):
    return UniqueCountsResult(*_np.unique(x, return_counts=True))


def unique_inverse(x):
    return UniqueInverseResult(*_np.unique(x, return_inverse=True))


def unique_all(x):
    return UniqueAllResult(*_np.unique(x, return_index=True, return_inverse=True, return_counts=True))


def union1d(ar1, ar2):
    return _np.unique(_np.concatenate([_np.asarray(ar1).ravel(), _np.asarray(ar2).ravel()]))


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    ar1, ar2 = _np.asarray(ar1).ravel(), _np.asarray(ar2).ravel()
    first, at1 = _np.unique(ar1, return_index=True)
    second, at2 = _np.unique(ar2, return_index=True)
    both = _np.isin(first, second)
    common = first[both].astype((_np.concatenate([ar1[:0], ar2[:0]])).dtype)
    return (common, at1[both], at2[_np.isin(second, first)]) if return_indices else common


def setdiff1d(ar1, ar2, assume_unique=False):
    ar1 = _np.asarray(ar1).ravel() if assume_unique else _np.unique(ar1)
    return ar1[~_np.isin(ar1, _np.asarray(ar2).ravel())]


def setxor1d(ar1, ar2, assume_unique=False):
    ar1, ar2 = _np.unique(ar1), _np.unique(ar2)
    return _np.sort(_np.concatenate([ar1[~_np.isin(ar1, ar2)], ar2[~_np.isin(ar2, ar1)]]))


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    a = _np.asarray(a).ravel()
    if isinstance(bins, str):
        raise NotImplementedError("numpy.histogram: give the number of bins, or their edges")
    if _np.ndim(bins) > 0:
        bins = _np.asarray(bins)
        if (bins[:-1] > bins[1:]).any():
            raise ValueError("`bins` must increase monotonically, when an array")
        return bins
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    first, last = (range if range is not None else (a.min(), a.max()) if a.size else (0.0, 1.0))
    if first > last:
        raise ValueError("max must be larger than min in range parameter.")
    if not (_np.isfinite(first) and _np.isfinite(last)):
        raise ValueError(f"autodetected range of [{first}, {last}] is not finite")
    if first == last:
        first, last = first - 0.5, last + 0.5
    return _np.linspace(first, last, bins + 1, dtype=a.dtype if a.dtype == _np.float32 else float)


def _bin(a, edges):
    # In which bin each element is, and which are in one; the last bin has its right edge.
    at = _np.where(a == edges[-1], len(edges) - 2, _np.searchsorted(edges, a, side="right") - 1)
    return at, (a >= edges[0]) & (a <= edges[-1])


def histogram(a, bins=10, range=None, density=None, weights=None):
    edges = histogram_bin_edges(a, bins, range)
    counts, _ = histogramdd([a], [edges], None, density, weights)
    return (counts if density else counts.astype(int if weights is None else _np.asarray(weights).dtype)), edges


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    if _np.ndim(bins) == 1 and len(bins) != 2:
        bins = [bins, bins]
    counts, edges = histogramdd([x, y], bins, range, density, weights)
    return counts, edges[0], edges[1]


def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    if _np.ndim(sample) == 1 and not isinstance(sample, (list, tuple)):
        sample = [sample]
    sample = [_np.asarray(s).ravel() for s in (sample if isinstance(sample, (list, tuple)) else _np.asarray(sample).T)]
    bins = [bins] * len(sample) if _np.ndim(bins) == 0 else bins
    edges = [histogram_bin_edges(s, b, None if range is None else range[k]) for k, (s, b) in enumerate(zip(sample, bins))]
    place, inside = 0, True
    for s, e in zip(sample, edges):
        at, within = _bin(s, e)
        place, inside = place * (len(e) - 1) + at, inside & within
    shape = tuple(len(e) - 1 for e in edges)
    size = 1
    for n in shape:
        size *= n
    counts = _np.bincount(place[inside], weights=None if weights is None else _np.asarray(weights).ravel()[inside], minlength=size).reshape(shape)
    counts = counts.astype(float)
    if density:
        total = counts.sum()
        for k, e in enumerate(edges):
            counts = counts / _np.diff(e).reshape((1,) * k + (-1,) + (1,) * (len(shape) - 1 - k))
        counts = counts / total
    return counts, tuple(edges)


def _at(function, a, indices, b):
    # Places that are named several times are changed in turns: the first mention of each, then the second, …
    a = _np.asarray(a)
    places = _np.arange(a.size).reshape(a.shape)[indices]
    values = _np.broadcast_to(b, places.shape).ravel()
    places, flat = places.ravel(), a.ravel()
    order = _np.argsort(places, kind="stable")
    ranked = places[order]
    first = _np.searchsorted(ranked, ranked)
    turn = _np.arange(len(ranked)) - first
    turns = _np.argsort(turn, kind="stable")
    order, ends = order[turns], _np.cumsum(_np.bincount(turn))
    start = 0
    for end in ends:
        now = order[start:end]
        flat[places[now]] = function(flat[places[now]], values[now])
        start = end
    return flat.reshape(a.shape)
