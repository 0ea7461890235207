# Functions of numpy that make arrays, turn them, put them together and take them apart, over those in Go.
import numpy as _np


def _one_or_all(arrays):
    return arrays[0] if len(arrays) == 1 else tuple(arrays)


def atleast_2d(*arys):
    arys = [_np.asarray(a) for a in arys]
    return _one_or_all([a if a.ndim > 1 else a.reshape(1, -1) for a in arys])


def atleast_3d(*arys):
    return _one_or_all([a if a.ndim > 2 else a.reshape(a.shape + (1,)) if a.ndim == 2 else a.reshape(1, -1, 1) for a in map(_np.asarray, arys)])


def dstack(tup, dtype=None):
    return _np.concatenate([atleast_3d(a) for a in tup], axis=2, dtype=dtype)


def array_split(ary, indices_or_sections, axis=0):
    ary = _np.asarray(ary)
    n = ary.shape[axis]
    if isinstance(indices_or_sections, int):
        if indices_or_sections <= 0:
            raise ValueError("number sections must be larger than 0.")
        size, more = n // indices_or_sections, n % indices_or_sections
        cuts = [i * size + min(i, more) for i in range(1, indices_or_sections)]
    else:
        cuts = [int(i) for i in indices_or_sections]
    front = (slice(None),) * (axis % ary.ndim)
    return [ary[front + (slice(start, stop),)] for start, stop in zip([0] + cuts, cuts + [n])]


def split(ary, indices_or_sections, axis=0):
    if isinstance(indices_or_sections, int) and _np.asarray(ary).shape[axis] % indices_or_sections:
        raise ValueError("array split does not result in an equal division")
    return array_split(ary, indices_or_sections, axis)


def _splitter(name, least, axis):
    def f(ary, indices_or_sections):
        ary = _np.asarray(ary)
        if ary.ndim < least:
            raise ValueError(f"{name} only works on arrays of {least} or more dimensions")
        return split(ary, indices_or_sections, axis if ary.ndim > 1 else 0)

    return f


hsplit, vsplit, dsplit = _splitter("hsplit", 1, 1), _splitter("vsplit", 2, 0), _splitter("dsplit", 3, 2)


def unstack(x, *, axis=0):
    x = _np.asarray(x)
    if x.ndim == 0:
        raise ValueError("Input array must be at least 1-d.")
    return tuple(_np.moveaxis(x, axis, 0))


def rollaxis(a, axis, start=0):
    a = _np.asarray(a)
    n = a.ndim
    axis, start = axis % n, start + n if start < 0 else start
    if not 0 <= start <= n:
        raise ValueError(f"'start' arg requires {-n} <= start < {n + 1}, but {start} was passed in")
    return _np.moveaxis(a, axis, start - 1 if axis < start else start)


def rot90(m, k=1, axes=(0, 1)):
    m = _np.asarray(m)
    first, second = axes
    if first % m.ndim == second % m.ndim:
        raise ValueError("Axes must be different.")
    for _ in range(k % 4):
        m = _np.flip(_np.swapaxes(m, first, second), first)
    return m


def roll(a, shift, axis=None):
    a = _np.asarray(a)
    if axis is None:
        return roll(a.ravel(), shift, 0).reshape(a.shape)
    axes = axis if isinstance(axis, tuple) else (axis,)
    shifts = shift if isinstance(shift, tuple) else (shift,) * len(axes)
    for k, by in zip(axes * (len(shifts) // len(axes)), shifts):
        n = a.shape[k]
        a = _np.take(a, (_np.arange(n) - by) % n, axis=k) if n else a
    return a


def block(arrays):
    def depth(x):
        return 1 + depth(x[0]) if isinstance(x, list) else 0

    def joined(x, k):
        if not isinstance(x, list):
            return x
        parts = [joined(y, k - 1) for y in x]
        return _np.concatenate(parts, axis=parts[0].ndim - k)

    def lifted(x, dims):
        if isinstance(x, list):
            if not x:
                raise ValueError("List at arrays cannot be empty")
            return [lifted(y, dims) for y in x]
        x = _np.asarray(x)
        return x.reshape((1,) * (dims - x.ndim) + x.shape)

    def most(x):
        return max(most(y) for y in x) if isinstance(x, list) else _np.ndim(x)

    deep = depth(arrays)
    return joined(lifted(arrays, max(deep, most(arrays))), deep)


def broadcast_shapes(*shapes):
    shapes = [s if isinstance(s, tuple) else (s,) for s in shapes]
    out = [1] * max([len(s) for s in shapes], default=0)
    for s in shapes:
        for k in range(1, len(s) + 1):
            if s[-k] != 1 and out[-k] not in (1, s[-k]):
                raise ValueError("shape mismatch: objects cannot be broadcast to a single shape.")
            out[-k] = out[-k] if s[-k] == 1 else s[-k]
    return tuple(out)


def broadcast_arrays(*args):
    args = [_np.asarray(a) for a in args]
    shape = broadcast_shapes(*[a.shape for a in args])
    return tuple(_np.broadcast_to(a, shape) for a in args)


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    n = len(xi)
    out = [_np.asarray(x).reshape((1,) * k + (-1,) + (1,) * (n - 1 - k)) for k, x in enumerate(xi)]
    if indexing == "xy" and n > 1:
        out = [_np.swapaxes(x, 0, 1) for x in out]
    return tuple(out) if sparse else broadcast_arrays(*out)


def indices(dimensions, dtype=int, sparse=False):
    out = meshgrid(*[_np.arange(n, dtype=dtype) for n in dimensions], sparse=sparse, indexing="ij")
    return out if sparse else _np.stack(out) if out else _np.zeros((0,), dtype=dtype)


def fromfunction(function, shape, *, dtype=float, **kwargs):
    return function(*indices(shape, dtype=dtype), **kwargs)


def ix_(*args):
    out = []
    for k, x in enumerate(args):
        x = _np.asarray(x)
        if x.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        x = x.nonzero()[0] if x.dtype == bool else x.astype(int) if x.size == 0 else x
        out.append(x.reshape((1,) * k + (-1,) + (1,) * (len(args) - 1 - k)))
    return tuple(out)


def _span(s):
    step = 1 if s.step is None else s.step
    return _np.arange(0 if s.start is None else s.start, s.stop, step)


class _Rows:
    # numpy.r_: what is between the brackets, one after the other.
    def __getitem__(self, key):
        parts = []
        for x in key if isinstance(key, tuple) else (key,):
            if isinstance(x, str):
                raise NotImplementedError("numpy.r_ with a text is not supported")
            parts.append(_np.atleast_1d(_span(x) if isinstance(x, slice) else x))
        return _np.concatenate(parts)


class _Columns:
    # numpy.c_: arrays of one dimension are columns.
    def __getitem__(self, key):
        parts = []
        for x in key if isinstance(key, tuple) else (key,):
            x = _np.atleast_1d(_span(x) if isinstance(x, slice) else x)
            parts.append(x.reshape(-1, 1) if x.ndim == 1 else x)
        return _np.concatenate(parts, axis=-1)


class _Grid:
    def __init__(self, sparse):
        self.sparse = sparse

    def __getitem__(self, key):
        if isinstance(key, slice):
            return _span(key)
        out = meshgrid(*[_span(s) for s in key], sparse=self.sparse, indexing="ij")
        return out if self.sparse else _np.stack(out)


class _Index:
    def __init__(self, always):
        self.always = always

    def __getitem__(self, key):
        return (key,) if self.always and not isinstance(key, tuple) else key


r_, c_, mgrid, ogrid, s_, index_exp = _Rows(), _Columns(), _Grid(False), _Grid(True), _Index(False), _Index(True)


def _places(obj, n):
    # What an index says about an axis of n places.
    if isinstance(obj, slice):
        return _np.arange(n)[obj]
    obj = _np.asarray(obj)
    if obj.dtype == bool:
        if obj.size != n:
            raise ValueError(f"boolean array argument obj to delete must be one dimensional and match the axis length of {n}")
        return obj.nonzero()[0]
    return obj.astype(int) if obj.size == 0 else obj


def delete(arr, obj, axis=None):
    arr = _np.asarray(arr)
    if axis is None:
        arr, axis = arr.ravel(), 0
    n = arr.shape[axis]
    keep = _np.ones(n, dtype=bool)
    keep[_places(obj, n)] = False
    return arr[(slice(None),) * (axis % arr.ndim) + (keep,)]


def insert(arr, obj, values, axis=None):
    arr = _np.asarray(arr)
    if axis is None:
        arr, axis = arr.ravel(), 0
    arr = _np.moveaxis(arr, axis, 0)
    n = arr.shape[0]
    at = _places(obj, n)
    values = _np.asarray(values).astype(arr.dtype)
    if at.ndim and values.ndim > 1 or not at.ndim and values.ndim == arr.ndim and arr.ndim > 1:
        values = _np.moveaxis(values, axis, 0)
    at = _np.atleast_1d(at)
    if (at < -n).any() or (at > n).any():
        raise IndexError(f"index {at[0]} is out of bounds for axis {axis} with size {n}")
    at = _np.where(at < 0, at + n, at)
    count = len(at) if len(at) != 1 or values.ndim < arr.ndim else len(values)
    values = _np.broadcast_to(values, (count,) + arr.shape[1:])
    at = _np.broadcast_to(at, (count,))
    order = _np.argsort(_np.concatenate([_np.arange(n) * 2 + 1, at * 2]), kind="stable")
    return _np.moveaxis(_np.take(_np.concatenate([arr, values]), order, axis=0), 0, axis)


def _widths(pad_width, dims):
    if isinstance(pad_width, dict):
        raise NotImplementedError("numpy.pad with a dict is not supported")
    return [tuple(int(x) for x in row) for row in _np.broadcast_to(pad_width, (dims, 2))]


def _padded_places(n, before, after, mode):
    # Where the elements of a padded axis come from.
    at = _np.arange(-before, n + after)
    if mode == "edge":
        return _np.clip(at, 0, n - 1)
    if mode == "wrap":
        return at % n
    if mode == "symmetric":
        at = at % (2 * n)
        return _np.where(at < n, at, 2 * n - 1 - at)
    if n == 1:
        return at * 0
    at = at % (2 * n - 2)
    return _np.where(at < n, at, 2 * n - 2 - at)


def pad(array, pad_width, mode="constant", constant_values=0):
    array = _np.asarray(array)
    widths = _widths(pad_width, array.ndim)
    if min(min(w) for w in widths) < 0:
        raise ValueError("index can't contain negative values")
    if mode not in ("constant", "edge", "reflect", "symmetric", "wrap"):
        raise NotImplementedError(f"numpy.pad with mode {mode!r}: use 'constant', 'edge', 'reflect', 'symmetric' or 'wrap'")
    fills = _np.broadcast_to(constant_values, (array.ndim, 2))
    for k, (before, after) in enumerate(widths):
        if mode != "constant":
            if array.shape[k] == 0 and before + after:
                raise ValueError(f"can't extend empty axis {k} using modes other than 'constant' or 'empty'")
            array = _np.take(array, _padded_places(array.shape[k], before, after, mode), axis=k)
            continue
        shape = array.shape
        sides = [_np.full(shape[:k] + (w,) + shape[k + 1:], fill).astype(array.dtype) for w, fill in zip((before, after), fills[k])]
        array = _np.concatenate([sides[0], array, sides[1]], axis=k)
    return array


def unravel_index(indices, shape, order="C"):
    indices = _np.asarray(indices)
    shape = shape if isinstance(shape, tuple) else (shape,)
    size = 1
    for n in shape:
        size *= n
    if (indices < 0).any() or (indices >= size).any():
        raise ValueError(f"index {indices.ravel()[0]} is out of bounds for array with size {size}")
    out = []
    for n in reversed(shape) if order == "C" else shape:
        out.append(indices % n)
        indices = indices // n
    return tuple(reversed(out)) if order == "C" else tuple(out)


def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    dims = dims if isinstance(dims, tuple) else (dims,)
    total = 0
    axes = list(zip(multi_index, dims))
    for at, n in axes if order == "C" else reversed(axes):
        at = _np.asarray(at)
        if mode == "clip":
            at = _np.clip(at, 0, n - 1)
        elif mode == "wrap":
            at = at % n
        elif (at < 0).any() or (at >= n).any():
            raise ValueError("invalid entry in coordinates array")
        total = total * n + at
    return total


def resize(a, new_shape):
    shape = new_shape if isinstance(new_shape, tuple) else (new_shape,)
    a = _np.asarray(a).ravel()
    size = 1
    for n in shape:
        if n < 0:
            raise ValueError("all elements of `new_shape` must be non-negative")
        size *= n
    if len(a) == 0:
        return _np.zeros(shape, dtype=a.dtype)
    return _np.tile(a, -(-size // len(a)))[:size].reshape(shape)


def ndindex(*shape):
    shape = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
    size = 1
    for n in shape:
        size *= n
    for i in range(size):
        at = []
        for n in reversed(shape):
            at.append(i % n)
            i = i // n
        yield tuple(reversed(at))


def ndenumerate(arr):
    arr = _np.asarray(arr)
    return zip(ndindex(*arr.shape), arr.ravel())


def apply_over_axes(func, a, axes):
    a = _np.asarray(a)
    for axis in axes if isinstance(axes, (tuple, list)) else (axes,):
        axis = axis % a.ndim
        made = func(a, axis)
        a = made if made.ndim == a.ndim else _np.expand_dims(made, axis)
    return a


def ascontiguousarray(a, dtype=None):
    return _np.atleast_1d(_np.asarray(a, dtype=dtype))


def asfortranarray(a, dtype=None):
    return _np.asarray(a, dtype=dtype)
