# Functions of numpy for matrices and polynomials, and what it says about types, over those in Go.
import numpy as _np


def eye(N, M=None, k=0, dtype=float):
    return (_np.arange(N).reshape(-1, 1) + k == _np.arange(N if M is None else M).reshape(1, -1)).astype(dtype)


def identity(n, dtype=float):
    return eye(n, dtype=dtype)


def tri(N, M=None, k=0, dtype=float):
    return (_np.arange(N).reshape(-1, 1) + k >= _np.arange(N if M is None else M).reshape(1, -1)).astype(dtype)


def _below(m, k):
    m = _np.asarray(m)
    m = _np.broadcast_to(m, (len(m), len(m))) if m.ndim == 1 else m
    return m, tri(m.shape[-2], m.shape[-1], k, dtype=bool)


def tril(m, k=0):
    m, below = _below(m, k)
    return _np.where(below, m, _np.zeros(1, dtype=m.dtype))


def triu(m, k=0):
    m, below = _below(m, k - 1)
    return _np.where(below, _np.zeros(1, dtype=m.dtype), m)


def tril_indices(n, k=0, m=None):
    return tri(n, m, k, dtype=bool).nonzero()


def triu_indices(n, k=0, m=None):
    return (~tri(n, m, k - 1, dtype=bool)).nonzero()


def tril_indices_from(arr, k=0):
    return tril_indices(arr.shape[-2], k, arr.shape[-1])


def triu_indices_from(arr, k=0):
    return triu_indices(arr.shape[-2], k, arr.shape[-1])


def mask_indices(n, mask_func, k=0):
    return (mask_func(_np.ones((n, n), dtype=int), k) != 0).nonzero()


def diag_indices(n, ndim=2):
    return (_np.arange(n),) * ndim


def diag_indices_from(arr):
    if arr.ndim < 2:
        raise ValueError("input array must be at least 2-d")
    if len(set(arr.shape)) != 1:
        raise ValueError("All dimensions of input must be of equal length")
    return diag_indices(arr.shape[0], arr.ndim)


def diagonal(a, offset=0, axis1=0, axis2=1):
    a = _np.asarray(a)
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    if axis1 % a.ndim == axis2 % a.ndim:
        raise ValueError("axis1 and axis2 cannot be the same")
    rest = [k for k in range(a.ndim) if k not in (axis1 % a.ndim, axis2 % a.ndim)]
    a = a.transpose(rest + [axis1 % a.ndim, axis2 % a.ndim])
    rows, cols = a.shape[-2:]
    n = max(min(rows + min(offset, 0), cols - max(offset, 0)), 0)
    at = _np.arange(n)
    return a[..., at - min(offset, 0), at + max(offset, 0)]


def diag(v, k=0):
    v = _np.asarray(v)
    if v.ndim == 1:
        n = len(v) + abs(k)
        wide = _np.concatenate([_np.zeros(max(-k, 0), dtype=v.dtype), v, _np.zeros(max(k, 0), dtype=v.dtype)])
        return _np.where(eye(n, k=k, dtype=bool), wide.reshape(-1, 1), _np.zeros(1, dtype=v.dtype))
    if v.ndim != 2:
        raise ValueError("Input must be 1- or 2-d.")
    return diagonal(v, k)


def diagflat(v, k=0):
    return diag(_np.ravel(v), k)


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    return _np.sum(diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype)


def fill_diagonal(a, val, wrap=False):
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    n = min(a.shape)
    at = _np.arange(n)
    a[(at,) * a.ndim] = _np.resize(val, (n,)) if _np.ndim(val) else val
    return a


def matrix_transpose(x):
    x = _np.asarray(x)
    if x.ndim < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {x.ndim}")
    return _np.swapaxes(x, -1, -2)


def _dot(a, b):
    return tensordot(a, b, ((-1,), (-2 if b.ndim > 1 else -1,)))


def matmul(x1, x2):
    x1, x2 = _np.asarray(x1), _np.asarray(x2)
    if x1.ndim == 0 or x2.ndim == 0:
        raise ValueError("matmul: Input operand does not have enough dimensions")
    a = x1.reshape(1, -1) if x1.ndim == 1 else x1
    b = x2.reshape(-1, 1) if x2.ndim == 1 else x2
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"matmul: Input operand 1 has a mismatch in its core dimension 0 (size {b.shape[-2]} is different from {a.shape[-1]})")
    out = _products(a, b)
    if x2.ndim == 1:
        out = out[..., 0]
    return out[..., 0, :] if x1.ndim == 1 and x2.ndim > 1 else out[..., 0] if x1.ndim == 1 else out


def _products(a, b):
    # Rows by columns; a sum of truths is a truth.
    wide = _np.expand_dims(a, -1) * _np.expand_dims(b, -3)
    return _np.any(wide, axis=-2) if wide.dtype == bool else _np.sum(wide, axis=-2).astype(wide.dtype)


def vecdot(x1, x2, axis=-1):
    wide = _np.asarray(x1) * _np.asarray(x2)
    return _np.sum(wide, axis=axis).astype(wide.dtype)


def matvec(x1, x2):
    return matmul(x1, _np.expand_dims(_np.asarray(x2), -1))[..., 0]


def vecmat(x1, x2):
    return matmul(_np.expand_dims(_np.asarray(x1), -2), x2)[..., 0, :]


def vdot(a, b):
    return _np.dot(_np.ravel(a), _np.ravel(b))


def inner(a, b):
    a, b = _np.asarray(a), _np.asarray(b)
    return a * b if a.ndim == 0 or b.ndim == 0 else tensordot(a, b, ((-1,), (-1,)))


def tensordot(a, b, axes=2):
    a, b = _np.asarray(a), _np.asarray(b)
    if isinstance(axes, int):
        axes = (range(a.ndim - axes, a.ndim), range(axes))
    left = [k % a.ndim for k in (axes[0] if not isinstance(axes[0], int) else (axes[0],))]
    right = [k % b.ndim for k in (axes[1] if not isinstance(axes[1], int) else (axes[1],))]
    if [a.shape[k] for k in left] != [b.shape[k] for k in right]:
        raise ValueError("shape-mismatch for sum")
    free_a = [k for k in range(a.ndim) if k not in left]
    free_b = [k for k in range(b.ndim) if k not in right]
    size = 1
    for k in left:
        size *= a.shape[k]
    rows, cols = a.transpose(free_a + left).reshape(_product(a, free_a), size), b.transpose(right + free_b).reshape(size, _product(b, free_b))
    return _products(rows, cols).reshape(tuple(a.shape[k] for k in free_a) + tuple(b.shape[k] for k in free_b))


def _product(a, axes):
    n = 1
    for k in axes:
        n *= a.shape[k]
    return n


def kron(a, b):
    a, b = _np.asarray(a), _np.asarray(b)
    dims = max(a.ndim, b.ndim)
    a, b = a.reshape((1,) * (dims - a.ndim) + a.shape), b.reshape((1,) * (dims - b.ndim) + b.shape)
    wide = a.reshape(tuple(x for n in a.shape for x in (n, 1))) * b.reshape(tuple(x for n in b.shape for x in (1, n)))
    return wide.reshape(tuple(m * n for m, n in zip(a.shape, b.shape)))


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = _np.moveaxis(_np.asarray(a), axisa, -1), _np.moveaxis(_np.asarray(b), axisb, -1)
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise ValueError("Both input arrays must be (arrays of) 3-dimensional vectors, but they are not")
    kind = promote_types(a.dtype, b.dtype)
    a, b = a.astype(kind), b.astype(kind)
    parts = [a[..., i] * b[..., j] - a[..., j] * b[..., i] for i, j in ((1, 2), (2, 0), (0, 1))]
    return _np.moveaxis(_np.stack(parts, axis=-1), -1, axisc)


def convolve(a, v, mode="full"):
    a, v = _np.atleast_1d(a), _np.atleast_1d(v)
    if len(a) == 0 or len(v) == 0:
        raise ValueError("a cannot be empty" if len(a) == 0 else "v cannot be empty")
    if len(v) > len(a):
        a, v = v, a
    out = _np.zeros(len(a) + len(v) - 1, dtype=(a[:1] * v[:1]).dtype)
    for k in range(len(v)):
        out[k:k + len(a)] = out[k:k + len(a)] + a * v[k]
    return _part(out, len(a), len(v), mode)


def _part(full, n, m, mode):
    if mode == "same":
        return full[(m - 1) // 2:(m - 1) // 2 + n]
    if mode == "valid":
        return full[m - 1:n]
    if mode != "full":
        raise ValueError("mode must be one of 'valid', 'same', or 'full'")
    return full


def correlate(a, v, mode="valid"):
    a, v = _np.atleast_1d(a), _np.atleast_1d(v)
    if len(v) <= len(a):
        return _np.asarray(convolve(a, v[::-1], mode))
    return convolve(v, a[::-1], mode)[::-1]


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    m = _np.atleast_2d(m) * 1.0
    m = m if rowvar or m.shape[0] == 1 else m.T
    if y is not None:
        y = _np.atleast_2d(y)
        m = _np.concatenate([m, y if rowvar or y.shape[0] == 1 else y.T])
    w = None
    for given in (fweights, aweights):
        if given is not None:
            w = _np.asarray(given) * (1.0 if w is None else w)
    ddof = (0 if bias else 1) if ddof is None else ddof
    total = m.shape[1] if w is None else w.sum()
    taken = 0 if ddof == 0 else ddof if aweights is None else ddof * (w * aweights).sum() / total
    d = m - _np.expand_dims(_np.average(m, axis=1, weights=w), 1)
    out = matmul(d if w is None else d * w, d.T) * (1 / _np.float64(total - taken))
    return out[0, 0] if out.shape == (1, 1) else out


def corrcoef(x, y=None, rowvar=True):
    c = cov(x, y, rowvar)
    if c.ndim == 0:
        return c / c
    spread = _np.sqrt(diagonal(c))
    return _np.clip(c / spread.reshape(-1, 1) / spread.reshape(1, -1), -1, 1)


def vander(x, N=None, increasing=False):
    x = _np.asarray(x)
    powers = _np.arange(len(x) if N is None else N)
    return _np.power(x.reshape(-1, 1), (powers if increasing else powers[::-1]).reshape(1, -1))


def polyval(p, x):
    x = _np.asarray(x)
    y = _np.zeros_like(x)
    for c in _np.atleast_1d(p):
        y = y * x + c
    return y


def _aligned(a1, a2):
    a1, a2 = _np.atleast_1d(a1), _np.atleast_1d(a2)
    n = max(len(a1), len(a2))
    return [_np.concatenate([_np.zeros(n - len(a), dtype=a.dtype), a]) for a in (a1, a2)]


def polyadd(a1, a2):
    a1, a2 = _aligned(a1, a2)
    return a1 + a2


def polysub(a1, a2):
    a1, a2 = _aligned(a1, a2)
    return a1 - a2


def polymul(a1, a2):
    return convolve(_np.trim_zeros(_np.atleast_1d(a1), "f"), _np.trim_zeros(_np.atleast_1d(a2), "f"))


def polydiv(u, v):
    u, v = _np.atleast_1d(u) * 1.0, _np.atleast_1d(v) * 1.0
    scale, out = 1.0 / v[0], []
    rest = u.astype((u[:1] + v[:1]).dtype)
    for k in range(max(len(u) - len(v) + 1, 1)):
        if len(u) < len(v):
            out.append(0.0)
            break
        out.append(scale * rest[k])
        rest[k:k + len(v)] = rest[k:k + len(v)] - out[-1] * v
    while len(rest) > 1 and _np.isclose(rest[0], 0, rtol=1e-14):
        rest = rest[1:]
    return _np.array(out), rest


def polyder(p, m=1):
    p = _np.asarray(p)
    for _ in range(m):
        p = p[:-1] * _np.arange(len(p) - 1, 0, -1)
    return p


def polyint(p, m=1, k=None):
    p = _np.asarray(p)
    constants = [0] * m if k is None else [k] * m if _np.ndim(k) == 0 else k
    for i in range(m):
        p = _np.concatenate([p / _np.arange(len(p), 0, -1), [constants[i]]])
    return p


def poly(seq_of_zeros):
    if _np.ndim(seq_of_zeros) > 1:
        raise NotImplementedError("poly() of a matrix is not there")
    out = _np.ones(1)
    for root in _np.atleast_1d(seq_of_zeros):
        out = convolve(out, _np.array([1.0, -root]))
    return out


def result_type(*arrays_and_dtypes):
    parts = [a if hasattr(a, "shape") and _np.ndim(a) else _np.zeros(1, dtype=a) if isinstance(a, (str, type, _np.dtype)) else a for a in arrays_and_dtypes]
    if not parts:
        raise ValueError("at least one array or dtype is required")
    return _np.concatenate([_np.ravel(a)[:1] for a in parts]).dtype


def promote_types(type1, type2):
    return result_type(_np.dtype(type1), _np.dtype(type2))


def find_common_type(array_types, scalar_types):
    # Scalars count where they are of a higher kind than the arrays.
    arrays, scalars = [_np.dtype(t) for t in array_types], [_np.dtype(t) for t in scalar_types]
    if not arrays or not scalars:
        return result_type(*arrays, *scalars)
    ofarrays, ofscalars = result_type(*arrays), result_type(*scalars)
    return ofscalars if "bifO".find(ofscalars.kind) > "bifO".find(ofarrays.kind) else ofarrays


def can_cast(from_, to, casting="safe"):
    from_ = from_.dtype if hasattr(from_, "dtype") and not isinstance(from_, type) else _np.dtype(from_)
    to = _np.dtype(to)
    if casting in ("no", "equiv"):
        return from_ == to
    order = "bifmMSUO"
    if casting == "unsafe" or casting == "same_kind" and (from_.kind == to.kind or order.index(from_.kind) <= order.index(to.kind) < 3):
        return True
    return promote_types(from_, to) == to


def common_type(*arrays):
    kinds = [_np.asarray(a).dtype for a in arrays]
    if bool in kinds:
        raise TypeError("can't get common type for non-numeric array")
    return _np.float32 if kinds and all(k == _np.float32 for k in kinds) else _np.float64


def astype(x, dtype, /, *, copy=True, device=None):
    return x.astype(dtype)


def isdtype(dtype, kind):
    dtype = _np.dtype(dtype)
    kinds = {"bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu", "real floating": "f", "complex floating": "c", "numeric": "iufc"}
    return any(dtype.kind in kinds[k] if isinstance(k, str) else dtype == _np.dtype(k) for k in (kind if isinstance(kind, tuple) else (kind,)))


def issubclass_(arg1, arg2):
    return isinstance(arg1, type) and isinstance(arg2, (type, tuple)) and issubclass(arg1, arg2)


# Numbers are real: these are what they are of real numbers.


def real(val):
    return _np.asarray(val)


conj = conjugate = real_if_close = real


def imag(val):
    return _np.zeros_like(val)


def isreal(x):
    return _np.ones_like(x, dtype=bool)


def iscomplex(x):
    return _np.zeros_like(x, dtype=bool)


def isrealobj(x):
    return True


def iscomplexobj(x):
    return False


def angle(z, deg=False):
    z = _np.asarray(z) * 1.0
    out = _np.where(_np.isnan(z), z, _np.where(z < 0, _np.pi, 0.0))
    return out * (180 / _np.pi) if deg else out


def sinc(x):
    x = _np.asarray(x) * 1.0
    y = _np.pi * _np.where(x == 0, 1.0e-20, x)
    return _np.sin(y) / y
