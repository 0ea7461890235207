# Functions of numpy that few packages use, over those in Go. Names without an underscore are numpy's.
import numpy as _np
from _numpy_algebra import *
from _numpy_count import *
from _numpy_number import *
from _numpy_shape import *


def fmax(x1, x2):
    return _np.where(_np.isnan(x1), x2, _np.where(_np.isnan(x2), x1, _np.maximum(x1, x2)))


def fmin(x1, x2):
    return _np.where(_np.isnan(x1), x2, _np.where(_np.isnan(x2), x1, _np.minimum(x1, x2)))


def flip(m, axis=None):
    m = _np.asarray(m)
    axes = range(m.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = [k % m.ndim for k in axes]
    return m if m.ndim == 0 else m[tuple(slice(None, None, -1) if k in axes else slice(None) for k in range(m.ndim))]


def flipud(m):
    if _np.ndim(m) < 1:
        raise ValueError("Input must be >= 1-d.")
    return flip(m, 0)


def fliplr(m):
    if _np.ndim(m) < 2:
        raise ValueError("Input must be >= 2-d.")
    return flip(m, 1)


def swapaxes(a, axis1, axis2):
    a = _np.asarray(a)
    order = list(range(a.ndim))
    order[axis1], order[axis2] = order[axis2], order[axis1]
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


def allclose(a, b, rtol=1e-05, atol=1e-08):
    return bool(_np.all(_np.isclose(a, b, rtol=rtol, atol=atol)))


def set_printoptions(*args, **keywords):
    pass


def outer(a, b):
    return _np.asarray(a).ravel().reshape(-1, 1) * _np.asarray(b).ravel().reshape(1, -1)


def divmod(x1, x2):
    return _np.floor_divide(x1, x2), _np.remainder(x1, x2)


def isposinf(x):
    return _np.asarray(x) == _np.inf


def isneginf(x):
    return _np.asarray(x) == -_np.inf


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


def argwhere(a):
    a = _np.asarray(a)
    return _np.stack(a.nonzero(), axis=1) if a.ndim else _np.zeros((int(bool(a)), 0), dtype=int)


def trim_zeros(filt, trim="fb"):
    first, last = 0, len(filt)
    if "f" in trim.lower():
        while first < last and filt[first] == 0:
            first += 1
    if "b" in trim.lower():
        while last > first and filt[last - 1] == 0:
            last -= 1
    return filt[first:last]


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    points = _np.linspace(start, stop, num, endpoint)
    return base ** points if dtype is None else (base ** points).astype(dtype)


def ediff1d(ary, to_end=None, to_begin=None):
    parts = [to_begin, _np.diff(_np.ravel(ary)), to_end]
    return _np.concatenate([_np.ravel(p).astype(parts[1].dtype) for p in parts if p is not None])


def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = _np.moveaxis(_np.asarray(y), axis, -1)
    width = dx if x is None else _np.diff(x) if _np.ndim(x) == 1 else _np.diff(_np.moveaxis(_np.asarray(x), axis, -1))
    return _np.sum(width * (y[..., 1:] + y[..., :-1]) / 2.0, axis=-1)


trapz = trapezoid


def moveaxis(a, source, destination):
    a = _np.asarray(a)
    source, destination = [[k] if isinstance(k, int) else list(k) for k in (source, destination)]
    if len(source) != len(destination):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    for k in source + destination:
        if not -a.ndim <= k < a.ndim:
            raise ValueError(f"axis {k} is out of bounds for array of dimension {a.ndim}")
    source, destination = [k % a.ndim for k in source], [k % a.ndim for k in destination]
    order = [k for k in range(a.ndim) if k not in source]
    for to, k in sorted(zip(destination, source)):
        order.insert(to, k)
    return a.transpose(order)


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    arr = moveaxis(arr, axis, -1)
    lanes, n = arr.shape[:-1], arr.shape[-1]
    size = 1
    for k in lanes:
        size *= k
    if size == 0:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    out = _np.array([_np.asarray(func1d(row, *args, **kwargs)) for row in arr.reshape(size, n)])
    out = out.reshape(lanes + out.shape[1:])
    axis = axis % arr.ndim
    for k in range(out.ndim - len(lanes)):
        out = moveaxis(out, len(lanes) + k, axis + k)
    return out


def extract(condition, arr):
    return _np.ravel(arr)[_np.ravel(condition).astype(bool)]


def take(a, indices, axis=None, out=None, mode="raise"):
    a = _np.asarray(a)
    if axis is None:
        a, axis = a.ravel(), 0
    n = a.shape[axis]
    indices = _np.asarray(indices)
    if mode != "raise":
        indices = indices % n if mode == "wrap" else _np.clip(indices, 0, n - 1)
    return a[(slice(None),) * (axis % a.ndim) + (indices if indices.size else indices.astype(int),)]


def compress(condition, a, axis=None, out=None):
    return take(a, _np.flatnonzero(condition), axis)


def choose(a, choices, out=None, mode="raise"):
    a = _np.asarray(a)
    n = len(choices)
    if mode != "raise":
        a = a % n if mode == "wrap" else _np.clip(a, 0, n - 1)
    elif _np.any((a < 0) | (a >= n)):
        raise ValueError("invalid entry in choice array")
    return _np.select([a == k for k in range(n)], list(choices))


def put_along_axis(arr, indices, values, axis):
    if axis is None:
        return put(arr, indices, values)
    places = []
    for k in range(arr.ndim):
        shape = [1] * arr.ndim
        shape[k] = -1
        places.append(indices if k == axis % arr.ndim else _np.arange(arr.shape[k]).reshape(shape))
    arr[tuple(places)] = values
    return arr


def fmod(x1, x2):
    # The remainder has the sign of the dividend.
    x1, x2 = _np.asarray(x1), _np.asarray(x2)
    rest = _np.remainder(_np.abs(x1), _np.abs(x2))
    return _np.where(x1 < 0, -rest, rest) if rest.dtype != _np.float32 and rest.dtype != _np.float64 else copysign(rest, x1).astype(rest.dtype)


def reciprocal(x):
    x = _np.asarray(x)
    if x.dtype in (_np.float32, _np.float64):
        return x.dtype.type(1) / x
    return _np.where(_np.abs(x) > 1, _np.zeros_like(x), x)


def float_power(x1, x2):
    return _np.power(_np.asarray(x1).astype(_np.float64), _np.asarray(x2).astype(_np.float64))


def array_equiv(a1, a2):
    try:
        a1, a2 = broadcast_arrays(a1, a2)
    except ValueError:
        return False
    return bool(_np.all(a1 == a2))


def asarray_chkfinite(a, dtype=None, order=None):
    a = _np.asarray(a, dtype=dtype)
    if a.dtype in (_np.float32, _np.float64) and not _np.all(_np.isfinite(a)):
        raise ValueError("array must not contain infs or NaNs")
    return a


def asfarray(a, dtype=_np.float64):
    return _np.asarray(a, dtype=dtype if _np.dtype(dtype) == _np.float32 else _np.float64)


def fromstring(string, dtype=float, count=-1, *, sep):
    words = [w for w in (string.split(sep) if sep.strip() else string.split()) if w.strip()]
    return _np.array([float(w) for w in words[:count if count >= 0 else None]]).astype(dtype)


def frompyfunc(func, nin, nout, *, identity=None):
    return _np.vectorize(func, otypes=[object] * nout)


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    return str(_np.asarray(a))


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    return repr(_np.asarray(arr))


cumproduct = cumprod


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
