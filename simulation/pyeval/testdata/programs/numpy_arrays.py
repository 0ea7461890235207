# numpy as formulas use it: making arrays, choosing, casting, dates, tables.
import numpy
import numpy as np
from numpy import floor, logical_not as not_, maximum as max_, minimum as min_, round as round_, select, where

a = np.array([1.5, -2.0, 3.25], dtype=np.float32)
b = np.array([1, 2, 3])
m = np.array([True, False, True])


def show(*values):
    for v in values:
        print(v.tolist() if hasattr(v, "tolist") else v, getattr(v, "dtype", type(v).__name__), end="; ")
    print()


show(a * 2, a + b, b / 2, a > 0, -a, abs(a), ~m, m & (a > 0), m | False)
show(max_(a, 0), min_(a, b), where(m, a, 0), where(a > 0, "yes", "no"), not_(m), floor(a), round_(a, 1))
show(select([a > 3, a > 0], [10, 20], default=5), select([m, a < 0], [a, a * 2]), np.clip(a, -1, 2), np.clip(a, a_min=0, a_max=None))
show(a.sum(), a.mean(), a.max(), a.min(), b.sum(), m.sum(), m.any(), m.all(), np.sum(b), np.max(a), np.any(m))
show(a.astype(int), a.astype("int32"), b.astype(float), m.astype(int), b.astype(str), b.astype(bool), a.astype(np.float64))
show(np.zeros(2), np.ones(2, dtype=int), np.full(3, 7), np.full(2, "x"), np.zeros_like(b), np.full_like(a, 2), np.arange(4), np.arange(1, 2, 0.5))
show(a[0], a[-1], a[1:], a[::-1], a[m], b[[0, 2]], np.asarray([1, 2.5]), np.array([]), np.array(5))
print(a.size, a.shape, a.ndim, len(a), a.dtype, a.dtype == np.float32, b.dtype == int, np.dtype("f4").name, a.dtype.kind)
c = b.copy()
c[0] = 10
c[m] = 0
c += 1
show(b, c)
show(np.isin(b, [1, 3]), np.unique(np.array([3, 1, 3])), np.concatenate([b, [9]]), np.repeat(b, 2), np.flatnonzero(m), np.where(m)[0])
show(np.divide(b, np.array([1, 0, 2]), out=np.zeros_like(b, dtype=float), where=np.array([1, 0, 2]) != 0))
show(np.logical_and(m, a > 0), np.logical_or(m, False), np.logical_xor(m, True), np.floor_divide(b, 2), np.remainder(b, 2), np.rint(a), np.ceil(a))
show(np.minimum(3, 4.5), np.maximum(2, 1), np.floor(2.5), np.round(2.675, 2), np.float32(0.1), np.int32(7), np.float64(1) / 3)
show(np.char.startswith(np.array(["abc", "b"]), "a"), np.core.defchararray.startswith(np.array([b"abc"]), b"a"))
show(np.digitize([0.5, 1.5, 2.5], [1, 2]), np.searchsorted([1, 2, 3], 2), np.argsort(a), np.cumsum(b), np.linspace(0, 1, 3))
show(np.fromiter((x * x for x in range(4)), dtype=int), np.fabs(a), np.nextafter(np.float32(1), np.float32(2)), np.sqrt(b))

d = np.array(["2020-02-29", "2021-03-01"], dtype="datetime64[D]")
birth = np.datetime64("2000-03-01")
age = (d - birth).astype("timedelta64[Y]").astype(int)
print(d, age, d.astype("datetime64[Y]").astype(int) + 1970, d.astype("datetime64[M]"), np.datetime64("2020", "D"), np.timedelta64(3, "D"))
print((d - np.timedelta64(1, "D")).astype(str), d > birth, d.max(), np.busday_count("2020-01-01", "2020-02-01"), np.busday_count(d[0], d[1], weekmask="1111110"))

t = np.array([[1, 2, 3], [4, 5, 6]])
print(t.shape, t[1, 2], t[0].tolist(), t[:, 1].tolist(), t.sum(), t.sum(axis=0).tolist(), t.max(axis=1).tolist(), t.T.shape)
print(t[[0, 1], [1, 2]].tolist(), (t * 2).tolist(), (t + np.array([10, 20, 30])).tolist(), (t > 2).tolist(), (b[:2][:, np.newaxis] * t).tolist())
print(np.stack([b, b * 2]).tolist(), np.stack([b, b * 2], axis=1).tolist(), np.min(t, axis=0).tolist(), np.zeros((2, 2)).tolist(), t.reshape(-1).tolist())


def label(x, y=1):
    return x * 10 + y


f = np.vectorize(label)
show(f(b), f(b, 2), f(3), np.vectorize(lambda s: s.upper())(np.array(["a", "b"])), np.vectorize(str)(b), np.vectorize(label, otypes=[float])(b))
print(isinstance(a, np.ndarray), isinstance(a[0], np.floating), isinstance(np.float64(1), float), np.isnan(np.nan), np.inf, str(np.float32(0.1)), f"{np.float32(2.5)}")
try:
    m - m
except TypeError as e:
    print("TypeError", e)
try:
    a + np.array([1, 2])
except ValueError as e:
    print("ValueError", str(e).strip())
try:
    if a > 0:
        pass
except ValueError as e:
    print("ValueError", str(e).strip())
print(np.maximum.reduce([a, b, a * 2]).tolist(), np.bincount([0, 1, 1], weights=[1.5, 2, 3]).tolist(), np.dot([1, 2], [3, 4]), np.array_equal(b, [1, 2, 3]))
o = np.array([None, "a", 3], dtype=object)
print((o == "a").tolist(), o[1], o.dtype, [x for x in b], list(a), sum(b), max(b), sorted(b, reverse=True))

# Arrays of objects keep what they are given.
things = np.array([float("nan"), "a", 3, None, [1, 2], True], dtype=object)
print([type(x).__name__ for x in things], things[0] != things[0], (things != things).tolist(), things[2] * 2, things[4][1], len(things))
names = np.array(["x", "yy", None], dtype=object)
print((names == "yy").tolist(), np.where(names == "x", "found", names).tolist(), [n is None for n in names], names[names != None].tolist())
numbers = np.array([1, 2.5, 3], dtype=object)
print((numbers * 2).tolist(), (numbers + numbers).tolist(), numbers.astype(float).sum(), (numbers > 2).tolist(), numbers.dtype, np.array([1, "a"], dtype=object).tolist())
x, y = (np.arange(45) * 0.7).astype(np.float32), (np.arange(45) * 0.3 + 0.1).astype(np.float32)
print(np.dot(x, y).tolist(), np.dot(x, x[::-1].copy()).tolist(), np.dot(x, 2)[:3].tolist(), (x ** 0.3)[:3].tolist(), np.exp(x)[5:8].tolist(), np.log10(y)[:3].tolist())
