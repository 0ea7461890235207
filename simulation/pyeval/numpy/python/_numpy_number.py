# Functions of numpy of numbers and days, element by element, over those in Go.
import numpy as _np


def _bits(*args):
    args = [_np.asarray(a) for a in args]
    for a in args:
        if a.dtype not in (bool, _np.int16, _np.int32, _np.int64):
            raise TypeError("ufunc not supported for the input types, and the inputs could not be safely coerced to any supported types")
    return [a.astype(_np.int16) if a.dtype == bool else a for a in args]


def left_shift(x1, x2):
    x1, x2 = _bits(x1, x2)
    kind = (x1 + x2).dtype
    far = (x2 < 0) | (x2 >= kind.itemsize * 8)
    shifted = x1.astype(kind) * _np.power(kind.type(2), _np.where(far, 0, x2).astype(kind))
    return _np.where(far, 0, shifted).astype(kind)


def right_shift(x1, x2):
    x1, x2 = _bits(x1, x2)
    kind = (x1 + x2).dtype
    far = (x2 < 0) | (x2 >= kind.itemsize * 8 - 1)
    shifted = x1.astype(kind) // _np.power(kind.type(2), _np.where(far, 0, x2).astype(kind))
    return _np.where(far, _np.where(x1 < 0, -1, 0), shifted).astype(kind)


bitwise_left_shift, bitwise_right_shift = left_shift, right_shift


def bitwise_count(x):
    (x,) = _bits(x)
    x = _np.abs(x)
    total = x * 0
    for _ in range(64):
        total, x = total + x % 2, x // 2
    return total


def gcd(x1, x2):
    x1, x2 = _bits(x1, x2)
    x1, x2 = _np.abs(x1 + _np.zeros_like(x2)), _np.abs(x2 + _np.zeros_like(x1))
    while _np.any(x2 != 0):
        x1, x2 = _np.where(x2 == 0, x1, x2), _np.where(x2 == 0, 0, x1 % _np.where(x2 == 0, 1, x2)).astype(x1.dtype)
    return x1


def lcm(x1, x2):
    x1, x2 = _bits(x1, x2)
    common = gcd(x1, x2)
    return _np.where(common == 0, 0, _np.abs(x1 // _np.where(common == 0, 1, common) * x2)).astype(common.dtype)


def _floats(a):
    # As functions of floats take numbers: integers of 16 bits as floats of 32.
    a = _np.asarray(a)
    return a if a.dtype in (_np.float32, _np.float64) else a.astype(_np.float32 if a.dtype == _np.int16 else _np.float64)


def _two_floats(x1, x2):
    x1, x2 = _floats(x1), _floats(x2)
    kind = (x1 + x2).dtype
    return x1.astype(kind), x2.astype(kind)


def modf(x):
    x = _floats(x)
    whole = _np.trunc(x)
    return _np.copysign(_np.where(_np.isinf(x), x.dtype.type(0), x - whole), x).astype(x.dtype), whole


def frexp(x):
    x = _floats(x)
    plain = _np.isfinite(x) & (x != 0)
    power = _np.where(plain, _np.floor(_np.log2(_np.abs(_np.where(plain, x, 1)).astype(_np.float64))) + 1, 0).astype(_np.int32)
    part = ldexp(x.astype(_np.float64), -power)
    more = _np.where(plain & (_np.abs(part) >= 1), 1, _np.where(plain & (_np.abs(part) < 0.5), -1, 0)).astype(_np.int32)
    return ldexp(part, -more).astype(x.dtype), power + more


def ldexp(x1, x2):
    x1, (x2,) = _floats(x1), _bits(x2)
    half = x2 // 2
    return (x1 * _np.power(2.0, half) * _np.power(2.0, x2 - half)).astype(x1.dtype)


def spacing(x):
    x = _floats(x)
    far = _np.nextafter(_np.abs(x), x.dtype.type(_np.inf)) - _np.abs(x)
    return _np.where(_np.isinf(x), x.dtype.type(_np.nan), _np.where(x < 0, -far, far))


def logaddexp(x1, x2):
    x1, x2 = _two_floats(x1, x2)
    return _np.where(x1 == x2, x1 + _np.log(x1.dtype.type(2)), _np.maximum(x1, x2) + _np.log1p(_np.exp(-_np.abs(x1 - x2))))


def logaddexp2(x1, x2):
    x1, x2 = _two_floats(x1, x2)
    return _np.where(x1 == x2, x1 + x1.dtype.type(1), _np.maximum(x1, x2) + _np.log2(x1.dtype.type(1) + _np.exp2(-_np.abs(x1 - x2))))


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    if start == 0 or stop == 0:
        raise ValueError("Geometric sequence cannot include zero")
    sign = -1.0 if start < 0 and stop < 0 else 1.0
    out = sign * _np.logspace(_np.log10(sign * start), _np.log10(sign * stop), num, endpoint)
    if num > 0:
        out[0] = start
        if num > 1 and endpoint:
            out[-1] = stop
    return out if dtype is None else out.astype(dtype)


def gradient(f, *varargs, axis=None, edge_order=1):
    if _np.asarray(f).dtype == bool:
        raise TypeError("numpy boolean subtract, the `-` operator, is not supported")
    f = _np.asarray(f)
    f = f if f.dtype == _np.float32 else f.astype(_np.float64)
    axes = list(range(f.ndim)) if axis is None else [k % f.ndim for k in (axis if isinstance(axis, tuple) else (axis,))]
    steps = list(varargs) * len(axes) if len(varargs) == 1 else list(varargs) or [1.0] * len(axes)
    if len(steps) != len(axes):
        raise TypeError("invalid number of arguments")
    out = [_np.moveaxis(_slope(_np.moveaxis(f, k, 0), step, edge_order), 0, k) for k, step in zip(axes, steps)]
    return out[0] if len(axes) == 1 else tuple(out)


def _slope(f, step, edge_order):
    n = f.shape[0]
    if n < edge_order + 1:
        raise ValueError("Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required.")
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    even = _np.ndim(step) == 0
    gaps = _np.full(n - 1, step).astype(f.dtype) if even else _np.diff(_np.asarray(step)) * 1.0
    if not even and (len(gaps) != n - 1):
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    if not even and (gaps == gaps[0]).all():
        even, step = True, gaps[0]
    gaps = gaps.reshape((-1,) + (1,) * (f.ndim - 1))
    left, right = gaps[:-1], gaps[1:]
    if even:
        inner = (f[2:] - f[:-2]) / f.dtype.type(2.0 * step)
    else:
        inner = -right / (left * (left + right)) * f[:-2] + (right - left) / (left * right) * f[1:-1] + left / (right * (left + right)) * f[2:]
    if edge_order == 1:
        first, last = (f[1] - f[0]) / gaps[0], (f[-1] - f[-2]) / gaps[-1]
    else:
        a, b, c, d = gaps[0], gaps[1], gaps[-2], gaps[-1]
        first = -(2 * a + b) / (a * (a + b)) * f[0] + (a + b) / (a * b) * f[1] + -a / (b * (a + b)) * f[2]
        last = d / (c * (c + d)) * f[-3] + -(d + c) / (c * d) * f[-2] + (2 * d + c) / (d * (c + d)) * f[-1]
    return _np.concatenate([_np.reshape(first, f[:1].shape), inner, _np.reshape(last, f[:1].shape)]).astype(f.dtype)


_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def base_repr(number, base=2, padding=0):
    if not 2 <= base <= 36:
        raise ValueError("Bases greater than 36 not handled in base_repr." if base > 36 else "Bases less than 2 not handled in base_repr.")
    rest, out = abs(int(number)), ""
    while rest:
        out, rest = _DIGITS[rest % base] + out, rest // base
    out = "0" * padding + out if number else "0" * max(padding, 1)
    return ("-" if number < 0 else "") + out


def binary_repr(num, width=None):
    num = int(num)
    need = len(base_repr(abs(num))) if num >= 0 else len(base_repr(-num - 1)) + 1 if num < -1 else 1
    if width is not None and need > width:
        raise ValueError(f"Insufficient bit width={width} provided for binwidth={need}")
    if num >= 0:
        return base_repr(num).rjust(width or 0, "0")
    if width is None:
        return base_repr(num)
    return base_repr(2 ** width + num)


def _days(dates):
    return _np.asarray(dates).astype("datetime64[D]").astype(int) if not isinstance(dates, str) else _np.datetime64(dates, "D").astype(int)


def _week(weekmask):
    if isinstance(weekmask, str):
        names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        weekmask = [c == "1" for c in weekmask] if weekmask.strip("01") == "" else [name in weekmask for name in names]
    return [bool(day) for day in weekmask]


class busdaycalendar:
    def __init__(self, weekmask="1111100", holidays=None):
        self.weekmask = _np.array(_week(weekmask))
        self.holidays = _np.unique(_np.array([] if holidays is None else holidays, dtype="datetime64[D]"))
        self.holidays = self.holidays[is_busday(self.holidays, weekmask)]


def _calendar(weekmask, holidays, busdaycal):
    if busdaycal is not None:
        return _np.array(busdaycal.weekmask), busdaycal.holidays.astype(int)
    week = _week(weekmask)
    if len(week) != 7:
        raise ValueError("A business day weekmask array must have length 7")
    if not any(week):
        raise ValueError("Cannot construct a numpy.busdaycal with a weekmask of all zeros")
    return _np.array(week), _np.atleast_1d(_days([] if holidays is None else holidays))


def is_busday(dates, weekmask="1111100", holidays=None, busdaycal=None, out=None):
    week, free = _calendar(weekmask, holidays, busdaycal)
    days = _days(dates)
    return week[(days + 3) % 7] & ~_np.isin(days, free)


def busday_offset(dates, offsets, roll="raise", weekmask="1111100", holidays=None, busdaycal=None, out=None):
    week, free = _calendar(weekmask, holidays, busdaycal)
    week, free = week.tolist(), set(free.tolist())
    days, offsets = _pair(_days(dates), offsets)
    moved = [_offset(int(d), int(n), roll, lambda x: week[(x + 3) % 7] and x not in free) for d, n in zip(_np.ravel(days), _np.ravel(offsets))]
    return _np.array(moved, dtype=int).reshape(_np.shape(days)).astype("datetime64[D]")


def _pair(a, b):
    return _np.asarray(a) + _np.zeros_like(b), _np.asarray(b) + _np.zeros_like(a)


def _offset(day, n, roll, works):
    if not works(day):
        if roll == "raise":
            raise ValueError("Non-business day date in busday_offset")
        forward = roll in ("forward", "following", "modifiedfollowing")
        if not forward and roll not in ("backward", "preceding", "modifiedpreceding"):
            raise ValueError(f"Invalid business day roll parameter {roll!r}")
        start = day
        day = _next(day, 1 if forward else -1, works)
        if roll.startswith("modified") and _month(day) != _month(start):
            day = _next(day, -1 if forward else 1, works)
    for _ in range(abs(n)):
        day = _next(day, 1 if n > 0 else -1, works)
    return day


def _next(day, step, works):
    day += step
    while not works(day):
        day += step
    return day


def _month(day):
    return int(_np.asarray(day).astype("datetime64[D]").astype("datetime64[M]").astype(int))


def datetime_as_string(arr, unit=None, timezone="naive", casting="same_kind"):
    arr = _np.asarray(arr)
    return (arr if unit in (None, "auto") else arr.astype(f"datetime64[{unit}]")).astype(str)


def datetime_data(dtype):
    name = _np.dtype(dtype).name
    return (name[name.index("[") + 1:-1] if "[" in name else "generic", 1)


def deg2rad(x):
    x = _floats(x)
    return x * x.dtype.type(_np.pi / 180)


def rad2deg(x):
    x = _floats(x)
    return x * x.dtype.type(180 / _np.pi)


radians, degrees = deg2rad, rad2deg


def signbit(x):
    x = _floats(x)
    return (x < 0) | ((x == 0) & (1 / _np.where(x == 0, x, 1.0) < 0))


def copysign(x1, x2):
    x1, x2 = _two_floats(x1, x2)
    size = _np.abs(x1)
    return _np.where(signbit(x2), -size, size)


def heaviside(x1, x2):
    x1, x2 = _two_floats(x1, x2)
    return _np.where(_np.isnan(x1), x1, _np.where(x1 == 0, x2, (x1 > 0).astype(x1.dtype)))
