# Functions of numpy that few packages use, over those in Go. Names without an underscore are numpy's.
import numpy as _np


def fmax(x1, x2):
    return _np.where(_np.isnan(x1), x2, _np.where(_np.isnan(x2), x1, _np.maximum(x1, x2)))


def fmin(x1, x2):
    return _np.where(_np.isnan(x1), x2, _np.where(_np.isnan(x2), x1, _np.minimum(x1, x2)))


def _floats(a):
    a = _np.asarray(a).ravel()
    return a if a.dtype == _np.float32 else a.astype(_np.float64)


def prod(a, axis=None):
    a = _np.asarray(a)
    if a.ndim > 1 and axis is not None:
        return _np.multiply.reduce(a, axis=axis)
    a = a.ravel()
    total = _np.ones(1, dtype=a.dtype if a.dtype == _np.float32 else (a[:0].sum()).dtype)[0]
    for x in a:
        total = total * x
    return total


product = prod


def cumprod(a, axis=None):
    a = _np.asarray(a)
    if a.ndim > 1 and axis is not None:
        return _np.multiply.accumulate(a, axis=axis)
    a = a.ravel()
    out, total = [], None
    for x in a:
        total = x if total is None else total * x
        out.append(total)
    return _np.array(out, dtype=(a[:0].sum()).dtype)


def _lanes(f, a, axis):
    # f of what is along an axis, for arrays of two or more dimensions.
    a = moveaxis(a, axis, -1)
    shape = a.shape[:-1]
    return _np.array([f(row) for row in a.reshape(-1, a.shape[-1])]).reshape(shape)


def var(a, axis=None, ddof=0):
    a = _np.asarray(a)
    if a.ndim > 1 and axis is not None:
        return _lanes(lambda row: var(row, ddof=ddof), a, axis)
    a = _floats(a)
    d = a - a.mean()
    return _np.sum(d * d) / a.dtype.type(len(a) - ddof)


def std(a, axis=None, ddof=0):
    return _np.sqrt(var(a, axis, ddof=ddof))


def average(a, axis=None, weights=None):
    a = _np.asarray(a)
    if weights is None:
        return _np.mean(a) if axis is None else _np.mean(a, axis=axis)
    weights = _np.asarray(weights)
    total = weights.sum()
    if total == 0:
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return (a * weights).sum() / total


def median(a, axis=None):
    a = _np.asarray(a)
    if a.ndim > 1 and axis is not None:
        return _lanes(median, a, axis)
    a = _floats(a)
    n = len(a)
    if n == 0 or _np.isnan(a).any():
        return a.dtype.type(_np.nan)
    a = _np.sort(a)
    middle = a[n // 2:n // 2 + 1] if n % 2 else a[n // 2 - 1:n // 2 + 1]
    return middle.mean()


def quantile(a, q, axis=None, method="linear", interpolation=None):
    method = interpolation or method
    if method not in ("linear", "lower", "higher", "nearest", "midpoint"):
        raise NotImplementedError(f"numpy.quantile with method {method!r}: use 'linear', 'lower', 'higher', 'nearest' or 'midpoint'")
    a = _np.asarray(a)
    if a.ndim > 1 and axis is not None:
        return _np.array([quantile(row, q, method=method) for row in (a if axis in (1, -1) else a.T)])
    return _at_ranks(_np.sort(_floats(a)), q, method)


def _at_ranks(a, q, method):
    if not _np.isscalar(q):
        return _np.array([_at_ranks(a, x, method) for x in _np.asarray(q)])
    if not 0 <= q <= 1:
        raise ValueError("Quantiles must be in the range [0, 1]")
    if len(a) == 0 or _np.isnan(a).any():
        return a.dtype.type(_np.nan)
    at = q * (len(a) - 1)
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
    return a[high] - gap * (1 - part) if part >= 0.5 else a[low] + gap * part


def percentile(a, q, axis=None, method="linear", interpolation=None):
    return quantile(a, _np.true_divide(q, 100), axis, method, interpolation)


def _filled(a, value):
    a = _np.asarray(a)
    return _np.where(_np.isnan(a), a.dtype.type(value), a) if a.dtype in (_np.float32, _np.float64) else a


def nansum(a, axis=None):
    return _np.sum(_filled(a, 0), axis=axis)


def nanmax(a, axis=None):
    return _np.max(_filled(a, -_np.inf), axis=axis)


def nanmin(a, axis=None):
    return _np.min(_filled(a, _np.inf), axis=axis)


def nanmean(a):
    a = _np.asarray(a)
    return a[~_np.isnan(a)].mean()


def nanmedian(a):
    a = _np.asarray(a)
    return median(a[~_np.isnan(a)])


def ptp(a, axis=None):
    return _np.max(a, axis=axis) - _np.min(a, axis=axis)


def flip(m, axis=None):
    m = _np.asarray(m)
    axes = range(m.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = [k % m.ndim for k in axes]
    return m[tuple(slice(None, None, -1) if k in axes else slice(None) for k in range(m.ndim))]


def flipud(m):
    return flip(m, 0)


def fliplr(m):
    return flip(m, 1)


def swapaxes(a, axis1, axis2):
    a = _np.asarray(a)
    order = list(range(a.ndim))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return a.transpose(order)


def moveaxis(a, source, destination):
    a = _np.asarray(a)
    order = [k for k in range(a.ndim) if k != source % a.ndim]
    order.insert(destination % a.ndim, source % a.ndim)
    return a.transpose(order)


def take_along_axis(arr, indices, axis=-1):
    arr, indices = _np.asarray(arr), _np.asarray(indices)
    if axis is None:
        return arr.ravel()[indices]
    if arr.ndim != indices.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    places = []
    for k in range(arr.ndim):
        shape = [1] * arr.ndim
        shape[k] = -1
        places.append(indices if k == axis % arr.ndim else _np.arange(arr.shape[k]).reshape(shape))
    return arr[tuple(places)]


def roll(a, shift, axis=None):
    a = _np.asarray(a)
    shift = shift % len(a) if len(a) else 0
    return _np.concatenate([a[len(a) - shift:], a[:len(a) - shift]])


def partition(a, kth, axis=-1):
    # Sorted altogether, which is one of the orders that numpy may give.
    a = _np.asarray(a)
    if a.ndim > 1:
        return _np.array([_np.sort(row) for row in a])
    return _np.sort(a)


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    arr = _np.asarray(arr)
    if arr.ndim == 1:
        return _np.asarray(func1d(arr, *args, **kwargs))
    rows = arr if axis in (1, -1) else arr.T
    out = _np.array([func1d(row, *args, **kwargs) for row in rows])
    return out.T if out.ndim > 1 and axis == 0 else out


def interp(x, xp, fp, left=None, right=None):
    x = _np.asarray(x)
    xp, fp = _np.asarray(xp).astype(_np.float64), _np.asarray(fp).astype(_np.float64)
    if len(xp) == 0:
        raise ValueError("array of sample points is empty")
    at = _np.clip(_np.searchsorted(xp, x, side="right") - 1, 0, len(xp) - 1)
    after = _np.minimum(at + 1, len(xp) - 1)
    width = xp[after] - xp[at]
    slope = (fp[after] - fp[at]) / _np.where(width == 0, 1, width)
    inside = _np.where(x == xp[at], fp[at], slope * (x - xp[at]) + fp[at])
    below = fp[0] if left is None else left
    above = fp[-1] if right is None else right
    return _np.where(x < xp[0], below, _np.where(x > xp[-1], above, inside))


def union1d(ar1, ar2):
    return _np.unique(_np.concatenate([ar1, ar2]))


def intersect1d(ar1, ar2):
    ar1 = _np.unique(ar1)
    return ar1[_np.isin(ar1, ar2)]


def setdiff1d(ar1, ar2):
    ar1 = _np.unique(ar1)
    return ar1[~_np.isin(ar1, ar2)]


def extract(condition, arr):
    return _np.asarray(arr)[_np.asarray(condition).astype(bool)]


def compress(condition, a):
    return extract(condition, a)


def take(a, indices, axis=None):
    a = _np.asarray(a)
    if axis is None:
        return a.ravel()[indices]
    return a[(slice(None),) * (axis % a.ndim) + (indices,)]


def choose(a, choices):
    a = _np.asarray(a)
    return _np.select([a == k for k in range(len(choices))], choices)


def allclose(a, b, rtol=1e-05, atol=1e-08):
    return bool(_np.all(_np.isclose(a, b, rtol=rtol, atol=atol)))


def deg2rad(x):
    return _np.multiply(x, _np.pi / 180)


def rad2deg(x):
    return _np.multiply(x, 180 / _np.pi)


radians, degrees = deg2rad, rad2deg


def set_printoptions(*args, **keywords):
    pass


def fmod(x1, x2):
    # The remainder has the sign of the dividend.
    x1, x2 = _np.asarray(x1), _np.asarray(x2)
    rest = _np.remainder(_np.abs(x1), _np.abs(x2))
    return _np.where(x1 < 0, -rest, rest)


def outer(a, b):
    return _np.asarray(a).ravel().reshape(-1, 1) * _np.asarray(b).ravel().reshape(1, -1)


def inner(a, b):
    return _np.dot(a, b)


def reciprocal(x):
    x = _np.asarray(x)
    if x.dtype in (_np.float32, _np.float64):
        return x.dtype.type(1) / x
    return _np.where(_np.abs(x) > 1, _np.zeros_like(x), x)


def heaviside(x1, x2):
    return _np.where(x1 == 0, x2, _np.where(_np.asarray(x1) > 0, 1.0, 0.0))


def float_power(x1, x2):
    return _np.power(_np.asarray(x1).astype(_np.float64), _np.asarray(x2).astype(_np.float64))


def divmod(x1, x2):
    return _np.floor_divide(x1, x2), _np.remainder(x1, x2)


def isposinf(x):
    return _np.asarray(x) == _np.inf


def isneginf(x):
    return _np.asarray(x) == -_np.inf


def setxor1d(ar1, ar2):
    ar1, ar2 = _np.unique(ar1), _np.unique(ar2)
    return _np.sort(_np.concatenate([ar1[~_np.isin(ar1, ar2)], ar2[~_np.isin(ar2, ar1)]]))


def delete(arr, obj, axis=None):
    arr = _np.asarray(arr)
    keep = _np.ones(len(arr), dtype=bool)
    keep[obj] = False
    return arr[keep]


def nanprod(a):
    return prod(_filled(a, 1))


def nanvar(a, ddof=0):
    a = _np.asarray(a)
    return var(a[~_np.isnan(a)], ddof=ddof)


def nanstd(a, ddof=0):
    return _np.sqrt(nanvar(a, ddof))


# Arrays do not change here. These return the array as it is afterwards; a statement that calls one of them puts it
# back where its first argument came from.


def putmask(a, mask, values):
    mask, values = _np.asarray(mask).astype(bool), _np.asarray(values)
    if values.ndim == 0 or len(values) == 1:
        a[mask] = values
    elif len(a):
        a[mask] = _np.tile(values, -(-len(a) // len(values)))[:len(a)][mask]
    return a


def place(arr, mask, vals):
    mask, vals = _np.asarray(mask).astype(bool), _np.asarray(vals).ravel()
    count = int(mask.sum())
    if count:
        arr[mask] = _np.tile(vals, -(-count // len(vals)))[:count]
    return arr


def copyto(dst, src, casting="same_kind", where=True):
    if where is True:
        dst[:] = src
    else:
        dst[where] = src if _np.asarray(src).ndim == 0 else _np.asarray(src)[where]
    return dst


def put(a, ind, v):
    a[ind] = v
    return a


class finfo:
    def __init__(self, dtype):
        self.dtype = _np.dtype(dtype)
        single = self.dtype == _np.float32
        number = self.dtype.type
        self.bits = 32 if single else 64
        self.eps = number(2.0 ** (-23 if single else -52))
        self.nmant = 23 if single else 52
        self.max = number(3.4028234663852886e38 if single else 1.7976931348623157e308)
        self.min = -self.max
        self.tiny = self.smallest_normal = number(2.0 ** (-126 if single else -1022))


class iinfo:
    def __init__(self, type):
        self.dtype = _np.dtype(type)
        self.bits = self.dtype.itemsize * 8
        self.max = 2 ** (self.bits - 1) - 1
        self.min = -self.max - 1


# Other names of what is there.
NAN = NaN = _np.nan
Inf = Infinity = PINF = infty = _np.inf
NINF = -_np.inf
NZERO = -0.0
PZERO = 0.0
euler_gamma = 0.5772156649015329
True_ = _np.bool_(True)
False_ = _np.bool_(False)
acos = _np.arccos
acosh = _np.arccosh
asin = _np.arcsin
asinh = _np.arcsinh
atan = _np.arctan
atan2 = _np.arctan2
atanh = _np.arctanh
bitwise_invert = bitwise_not = _np.invert
concat = _np.concatenate
pow = _np.power
row_stack = _np.vstack
alltrue = _np.all
sometrue = _np.any
permute_dims = _np.transpose
intc = _np.int32
intp = long = longlong = _np.int64
short = _np.int16
single = _np.float32


def ndim(a):
    return _np.asarray(a).ndim


def iterable(y):
    try:
        iter(y)
    except TypeError:
        return False
    return True


def identity(n, dtype=float):
    return _np.array([[1 if i == j else 0 for j in range(n)] for i in range(n)]).astype(dtype)


def argwhere(a):
    a = _np.asarray(a)
    return _np.stack(a.nonzero(), axis=1) if a.ndim else _np.zeros((int(bool(a)), 0), dtype=int)


def signbit(x):
    x = _np.asarray(x)
    return (x < 0) | ((x == 0) & (1 / _np.where(x == 0, x, 1.0) < 0))


def copysign(x1, x2):
    size = _np.abs(x1) * 1.0
    return _np.where(signbit(x2), -size, size)


def trapezoid(y, x=None, dx=1.0):
    y = _np.asarray(y)
    width = dx if x is None else _np.diff(x)
    return (width * (y[1:] + y[:-1]) / 2.0).sum()


trapz = trapezoid


def ediff1d(ary):
    return _np.diff(_np.asarray(ary).ravel())


def trim_zeros(filt, trim="fb"):
    first, last = 0, len(filt)
    if "f" in trim.lower():
        while first < last and filt[first] == 0:
            first += 1
    if "b" in trim.lower():
        while last > first and filt[last - 1] == 0:
            last -= 1
    return filt[first:last]


def logspace(start, stop, num=50, endpoint=True, base=10.0):
    points = _np.linspace(start, stop, num if endpoint else num + 1)
    return base ** (points if endpoint else points[:-1])


def nancumsum(a):
    a = _np.asarray(a)
    return _np.cumsum(_np.where(_np.isnan(a), 0, a))


def nanargmax(a):
    return _np.argmax(_np.where(_np.isnan(a), -_np.inf, a))


def nanargmin(a):
    return _np.argmin(_np.where(_np.isnan(a), _np.inf, a))


def array_split(ary, indices_or_sections):
    n = len(ary)
    if isinstance(indices_or_sections, int):
        size, more = divmod(n, indices_or_sections)
        cuts, at = [], 0
        for i in range(indices_or_sections - 1):
            at += size + (1 if i < more else 0)
            cuts.append(at)
    else:
        cuts = list(indices_or_sections)
    return [ary[start:stop] for start, stop in zip([0] + cuts, cuts + [n])]


def split(ary, indices_or_sections):
    if isinstance(indices_or_sections, int) and len(ary) % indices_or_sections:
        raise ValueError("array split does not result in an equal division")
    return array_split(ary, indices_or_sections)


class uint64:
    # A whole number of 64 bits without a sign; arrays of them hold such objects.
    def __init__(self, value=0):
        self._number = int(value) % 2**64

    def __int__(self):
        return self._number

    __index__ = item = __int__

    def __float__(self):
        return float(self._number)

    def __repr__(self):
        return f"np.uint64({self._number})"

    def __str__(self):
        return str(self._number)

    def __bool__(self):
        return self._number != 0

    def __hash__(self):
        return hash(self._number)

    def __invert__(self):
        return uint64(~self._number)


def _uint64_operators():
    compute = {
        "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b,
        "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "lshift": lambda a, b: a << b, "rshift": lambda a, b: a >> b,
    }
    compare = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
    number = lambda x: x._number if isinstance(x, uint64) else x
    whole = lambda x: isinstance(x, (uint64, int))
    for name, function in compute.items():
        setattr(uint64, f"__{name}__", lambda a, b, f=function: uint64(f(a._number, number(b))) if whole(b) else NotImplemented)
        setattr(uint64, f"__r{name}__", lambda a, b, f=function: uint64(f(number(b), a._number)) if whole(b) else NotImplemented)
    for name, function in compare.items():
        setattr(uint64, f"__{name}__", lambda a, b, f=function: f(a._number, number(b)))


_uint64_operators()
