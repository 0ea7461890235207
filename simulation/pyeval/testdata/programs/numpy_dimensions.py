# Arrays of three dimensions, and of two beside them: making, indexing, storing, broadcasting, going along an axis.
import numpy as np


def show(name, f):
    try:
        v = f()
    except (ValueError, IndexError, TypeError, ZeroDivisionError) as e:
        kinds = [c.__name__ for c in (IndexError, ValueError, TypeError, ZeroDivisionError) if isinstance(e, c)]
        print(name, kinds[-1])
        return
    for x in v if isinstance(v, tuple) else (v,):
        if isinstance(x, (np.ndarray, np.generic)):
            print(name, x.dtype, x.shape, x.ndim, x.size, x.tolist())
        else:
            print(name, x)


shapes = [(2, 3, 4), (3, 1, 2), (1, 1, 1), (0, 2, 3), (2, 0, 3), (2, 3, 0), (3, 2), (0, 2), (4,)]
kinds = [np.float64, np.float32, np.int64, np.int32, bool]


def drawn(shape, kind, seed=7):
    n = 1
    for k in shape:
        n = n * k
    values = [((i * 37 + seed * 11) % 23 - 9) / (1 if kind in (np.int64, np.int32) else 4) for i in range(n)]
    return np.array(values, dtype=np.float64).astype(kind).reshape(shape)


for shape in shapes:
    show("full", lambda: (np.full(shape, 2.5), np.zeros(shape), np.ones(shape, dtype=int), np.full(shape, 7, dtype="float32"), np.full(shape, True)))
    show("like", lambda: (np.zeros_like(np.ones(shape)), np.full_like(np.ones(shape, dtype=int), 3), np.ones_like(np.zeros(shape, dtype=bool))))
    print(np.empty(shape).shape, len(np.empty(shape)), np.zeros(shape, dtype=np.int32).nbytes)

for at, shape in enumerate(shapes):
    for kind in kinds if at == 0 else [kinds[at % 5], kinds[(at + 2) % 5]]:
        a = drawn(shape, kind)
        for axis in (None, 0, 1, 2, -1, (0, 1)):
            for name in ("sum", "min", "max", "any", "all", "argmax", "argmin"):
                show((name, axis), lambda: getattr(a, name)(axis=axis))
            if a.size:
                show(("mean", axis), lambda: a.mean(axis=axis))
        for axis in range(len(shape)):
            show(("kept", axis), lambda: (a.sum(axis=axis, keepdims=True), np.any(a, axis=axis, keepdims=True)))
            show(("accumulate", axis), lambda: (np.maximum.accumulate(a, axis=axis), np.minimum.accumulate(a, axis), np.add.accumulate(a, axis=axis)))
            show(("cumsum", axis), lambda: a.cumsum(axis=axis))
            show(("sort", axis), lambda: np.sort(a, axis=axis))
            show(("reduce", axis), lambda: np.maximum.reduce(a, axis=axis) if a.shape[axis] else 0)
        show("turned", lambda: (a.T, a.transpose(), np.flip(a, 0), a[::-1], a.ravel(), a.flatten(), a.copy()))
        if kind in (bool, np.float32) and at == 0:
            continue
        show("tests", lambda: (a > 0, a == a, a != 1, ~(a > 0), (a > 0) & (a < 2), (a < 0) | (a > 1)))
        show("numbers", lambda: (a + 1, 2 * a, a / 4, a * a, abs(a * 1.0), -(a * 1), a // 2, a * 2.5))

for kind in (np.float64, np.int32):
    a = drawn((2, 3, 2), kind, 3)
    for b in drawn((2,), kind), drawn((3, 2), kind), drawn((3, 1), kind), drawn((2, 1, 1), kind), drawn((2, 1, 2), kind), drawn((1,), kind), 3, 2.5:
        show("broadcast", lambda: (a + b, b * a, a < b, np.maximum(a, b), np.where(a > b, a, b), np.where(b, a, 0)))
    for b in drawn((3,), kind), drawn((4,), kind), drawn((2, 3), kind), drawn((3, 3, 2), kind):
        show("apart", lambda: a + b)
        show("apart", lambda: np.where(a > 0, a, b))

v = np.array([5, -2, 7])
show("axes", lambda: (v[:, None, None], v[None], v[None, :, None], v[..., None], v[None, 1:, None], v[:, None] * v[None, :]))
show("axes", lambda: (np.expand_dims(v, 0), np.expand_dims(v, -1), np.expand_dims(v[None], 1), np.squeeze(v[:, None, None]), np.squeeze(v[None, :, None], axis=0)))
show("axes", lambda: np.squeeze(v[None], axis=1))
show("table", lambda: (v[np.array([[0, 1], [2, -1]])], v[np.array([[[0], [2]]])], v[np.array([[0, 1]]) > 3, None] if False else v[[2, 0]]))

a = drawn((4, 3, 5), np.int64)
two = np.array([0, 2])
m = a[:, :, 0] > 0
for k in [
    0, -1, 3, 4, -5, (1, 2), (1, -1, 3), (0, 3), (0, 0, 5), (0, 0, 0, 0), slice(1, 3), slice(None, None, -1), slice(3, 0, -2), slice(2, 2), slice(-2, 99),
    (slice(None), 1), (slice(None), slice(None), 2), (slice(1), slice(1, None), slice(None, None, 2)), (0, slice(None), 1), (Ellipsis, 1), (1, Ellipsis), (Ellipsis, 0, slice(1)),
    Ellipsis, None, (None, 1), (slice(None), None), (1, None, 2, None, 3), (Ellipsis, None), two, [1, 1, 0], [], (two, two), (two, two, two), (two, 1, two), (two, slice(None), two),
    (slice(None), two, two), (slice(None), two), (slice(None), slice(None), two), (0, slice(None), two), (two[:, None], two), (two[:, None], two[None, :], 1), (two[:, None, None], two[:, None], two),
    (two, np.array([0, 1, 2])), (two, np.array([5, 0])), np.array([[0, 1], [3, 2]]), (slice(None), np.array([[0, 1], [2, 2]])), np.array([1.0]), "x", 1.5,
    a > 3, m, (m, 1), (m, slice(1, 3)), (0, m[0]), (slice(None), m[0]), (slice(None), m[0], 1), m[:, 0], m[0], (slice(None), slice(None), np.array([True, False, True, False, True])), (m[:, 0], 0, 0), a > 99, np.zeros((4, 4), dtype=bool),
]:
    label = str(k) if not isinstance(k, np.ndarray) and not (isinstance(k, tuple) and any(isinstance(x, np.ndarray) for x in k)) else "arrays"
    show(("get", label), lambda: a[k])
    for x in (100, [1, 2], np.arange(5), np.arange(3)[:, None], np.arange(15).reshape(3, 5), np.arange(2) + 0.75, drawn((4, 3, 5), np.float64), np.ones((1, 1, 1, 1)), a[k] * 2 if label not in ("(0, 3)", "4", "-5", "(0, 0, 5)", "(0, 0, 0, 0)", "x", "1.5", "arrays") else -1):
        def stored():
            b = a.copy()
            if b[k].ndim == 0 and np.ndim(x):
                return "an element takes no array"
            b[k] = x
            return b.sum(), (b * np.arange(60).reshape(4, 3, 5)).sum()
        show("set", stored)

t = drawn((4, 3), np.float64)
for k in [0, -1, 4, (1, 2), (0, 3), slice(1, 3), (slice(None), 1), (slice(None), slice(0, 2)), (slice(None), None), None, (None, 1), (Ellipsis, 0), t > 0, t > 99, two, (two, two), (two[:, None], two), (two, slice(1)), (slice(None), two), np.array([[0, 1]]), (0, 0, 0), [[0, 1], [2, 0]]]:
    show("get2", lambda: t[k])
    for x in (9, [1, 2], t[0], np.nan, t * 2, np.ones((1, 3))):
        def stored():
            b = t.copy()
            if b[k].ndim == 0 and np.ndim(x):
                return "an element takes no array"
            b[k] = x
            return b
        show("set2", stored)

b = np.zeros((2, 2, 3), dtype=np.int32)
b[0, 1, 2] += 5
b[1] += np.array([1, 2, 3])
b[:, 0] -= 1
b[b < 0] = 40.9
b[[0, 1], [0, 1], [2, 0]] = [7, 8]
print(b.tolist(), b.dtype, b[0, 0, 0], type(b[0, 0, 0]).__name__)
full = np.full((2, 3, 2), np.nan)
full[np.array([0, 1, 1]), np.array([2, 0, 1]), np.array([1, 1, 0])] = np.array([1.5, 2.5, 3.5])
known = ~np.isnan(full)
print(known.tolist(), np.argmax(known, axis=0).tolist(), np.argmax(known[::-1], axis=0).tolist(), known.any(axis=0).tolist())
print(np.isnan(full).sum(axis=2).tolist(), np.nansum(full, axis=0).tolist(), np.nanmax(np.where(known, full, 0.0), axis=1).tolist())
place = np.where(known.any(axis=0), np.argmax(known, axis=0), 0)
show("along", lambda: (np.take_along_axis(full, place[None], axis=0)[0], np.take_along_axis(a, np.argsort(a, axis=2), axis=2), np.take_along_axis(t, np.argmin(t, axis=1)[:, None], axis=1), np.take_along_axis(v, two, axis=0)))
show("along", lambda: np.take_along_axis(full, place, axis=0))
show("along", lambda: np.take_along_axis(a, two[:, None, None] + 9, axis=0))

lost = drawn((2, 3, 2), np.float64)
lost[0, 1, 1] = np.nan
lost[1, 1, 1] = np.nan
for axis in (0, 1, 2):
    show("lost", lambda: (np.argmax(lost, axis=axis), lost.argmin(axis=axis), lost.max(axis=axis), lost.min(axis), np.isnan(lost).any(axis=axis), np.maximum.accumulate(lost, axis=axis)))

for f in (np.sqrt, np.floor, np.ceil, np.rint, np.abs, np.sign, np.square, np.isnan, np.isfinite, np.negative, np.logical_not, np.exp):
    show(f.__name__, lambda: f(np.abs(t)[:, :, None] * np.array([1.0, 4.0])).round(9))
x = drawn((2, 3, 4), np.float64)
show("more", lambda: (np.round(x, 1), np.clip(x, -1, 1), x.clip(0, np.arange(4)), np.isin(x, [0.25, 1.0]), np.isclose(x, x + 1e-9), np.nan_to_num(np.where(x > 0, x, np.nan)), np.minimum(x, x[0, 0]), np.hypot(x, 0.0)))
show("more", lambda: (np.select([x > 2, x > 0], [x, x * 10], -1.0), np.searchsorted(np.array([0.0, 1.0, 2.0]), x), np.digitize(x, np.array([0.0, 1.0])), np.fmax(x, 0.0)))
show("more", lambda: (np.unique(x), np.flatnonzero(x > 1), int(np.count_nonzero(x)), np.argwhere(x > 2), np.array_equal(x, x.copy()), np.array_equal(x, x[0]), np.allclose(x, x)))
show("places", lambda: (x > 1).nonzero())
show("places", lambda: np.where(x > 1))
show("where", lambda: (np.add(x, 1, where=x > 0, out=np.zeros((2, 3, 4))), np.divide(x, 2, dtype=np.float32), np.multiply(x, x, out=np.zeros((2, 3, 4)))))

for shape in [(24,), (4, 6), (-1,), (2, -1), (2, 2, -1), (2, 3, 2, 2), (5, -1), (-1, -1), (7,), (0, -1), (24, 1, 1)]:
    show("reshape", lambda: (x.reshape(shape), np.arange(24).reshape(*shape), np.reshape(x, shape)))
show("reshape", lambda: (np.zeros((0, 2, 3)).reshape(3, 0), np.zeros((2, 0)).reshape(0)))
show("order", lambda: (x.transpose(1, 0, 2), x.transpose((2, 0, 1)), np.transpose(x, (0, 2, 1)), np.swapaxes(x, 0, 2), np.moveaxis(x, 0, -1), np.fliplr(x), np.flip(x, (0, 2)), np.flip(x)))
show("order", lambda: x.transpose(0, 1))
show("order", lambda: x.transpose(0, 0, 1))
show("cast", lambda: (x.astype(int), x.astype("float32"), x.astype(bool), np.asarray(x, dtype=np.int32)))
show("lists", lambda: (np.array([[[1, 2], [3, 4]]]), np.array([[[1.5], [2]], [[3], [4]]]), np.array([t, t]), np.array([[v, v], [v, v]]), np.array([[[True]]])))
for axis in (0, 1, 2, -1, 3):
    show("joined", lambda: (np.stack([t, t * 2], axis=axis), np.stack([v, v], axis=0)))
    show("joined", lambda: np.concatenate([x, x[:, :, ::-1]], axis=axis))
show("joined", lambda: (np.concatenate([x, x]), np.concatenate([t, t[:1]]), np.vstack([t, v]), np.hstack([t, t]), np.hstack([v, v]), np.column_stack([v, v]), np.column_stack([t, t[:, 0]])))
show("joined", lambda: np.concatenate([x, x[:, :2]], axis=0))
show("joined", lambda: np.concatenate([x, t], axis=0))
show("spread", lambda: (np.broadcast_to(v, (2, 2, 3)), np.broadcast_to(v[:, None], (3, 2)), np.broadcast_to(4, (2, 1, 2))))
show("spread", lambda: np.broadcast_to(v, (3, 2)))
show("spread", lambda: (np.prod(x, axis=1), np.cumprod(x[0], axis=0), np.median(x, axis=2), np.ptp(x, axis=0), np.take(x, [0, 1], axis=1), x.item(3), x.item((1, 2, 3))))
for bad in ((2, -1, 3), (-1,), "ab", 1.5):
    show("bad", lambda: np.zeros(bad))
for axis in (3, -4, 1.5):
    show("bad", lambda: x.sum(axis=axis))
    show("bad", lambda: np.argmax(x, axis=axis))
for table in x:
    for row in table:
        print(row.tolist(), sum(y for y in row))
try:
    if x > 0:
        print("true")
except ValueError:
    print("no truth")
print(bool(np.ones((1, 1, 1))), x[1, 2, 3] in x[1, 2])
