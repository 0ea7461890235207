# Names of numpy that the other programs do not call.
import numpy as np


def show(what, value):
    if isinstance(value, tuple):
        value = [v.tolist() if isinstance(v, np.ndarray) else v for v in value]
    elif isinstance(value, np.ndarray):
        value = (str(value.dtype), value.tolist())
    print(what, value)


def wrong(what, f):
    try:
        show(what, f())
    except Exception as e:
        print(what, type(e).__name__)


a = np.array([3.0, -1.5, 2.5, 0.5])
n = np.array([3, -1, 2, 7])
m = np.array([[4, 1, 3], [2, 9, 5], [8, 0, 6]])

show("absolute", np.absolute(a))
show("absolute", np.absolute(n))
show("angle", np.angle(a))
show("angle", np.angle(a, deg=True))
show("around", np.around(a))
show("around", np.around(np.array([1.25, 1.35, -1.25]), 1))
show("around", np.around(n, -1))
show("array_repr", np.array_repr(n))
show("asanyarray", np.asanyarray([1, 2, 3]))
show("asanyarray", np.asanyarray([1, 2], dtype=float))
show("asarray_chkfinite", np.asarray_chkfinite([1.0, 2.0]))
wrong("asarray_chkfinite", lambda: np.asarray_chkfinite([1.0, np.nan]))
wrong("asarray_chkfinite", lambda: np.asarray_chkfinite([np.inf]))
show("conjugate", np.conjugate(a))
show("conjugate", n.conjugate())
show("empty_like", np.empty_like(m).shape)
show("empty_like", (str(np.empty_like(a, dtype=np.int32).dtype), np.empty_like(a, shape=(2, 2)).shape))

show("full_like", np.full_like(n, 2.7))
show("full_like", np.full_like(a, 1, dtype=bool, shape=3))
show("full_like", np.full_like(m, [1, 2, 3]))
show("full", np.full((2, 3), [1, 2, 3]))
show("full", np.full(3, [1.5, 2, 3], dtype=int))
show("ones_like", np.ones_like(n, shape=(1, 2)))

for k in (0, 1, 2):
    for dtype in (np.int64, np.float32):
        parted = np.argpartition(np.array([5, 3, 9, 1, 7], dtype=dtype), k)
        show("argpartition", np.array([5, 3, 9, 1, 7])[parted[k]])
parted = n.argpartition(1)
show("argpartition", (int(n[parted[1]]), sorted(parted.tolist())))

show("common_type", np.common_type(a).__name__)
show("common_type", np.common_type(n, np.array([1], dtype=np.float32)).__name__)
show("common_type", np.common_type(np.array([1], dtype=np.float32)).__name__)
show("diag_indices", np.diag_indices(3))
show("diag_indices", np.diag_indices(2, ndim=3))
show("diag_indices_from", np.diag_indices_from(m))
wrong("diag_indices_from", lambda: np.diag_indices_from(np.zeros((2, 3))))
show("frompyfunc", np.frompyfunc(lambda x, y: x * 10 + y, 2, 1)(n, 1).tolist())
show("frompyfunc", np.frompyfunc(len, 1, 1)(np.array(["a", "bcd"])).tolist())
counts, edges = np.histogramdd(np.array([[0.1, 0.2], [0.4, 0.9], [0.8, 0.8], [0.9, 0.1]]), bins=(2, 2), range=[(0, 1), (0, 1)])
show("histogramdd", counts)
show("histogramdd", tuple(edges))
show("iscomplexobj", (np.iscomplexobj(a), np.isrealobj(a), np.isrealobj(n), np.iscomplexobj([1, 2])))
show("isnat", np.isnat(np.array(["2020-01-01", "NaT"], dtype="datetime64[D]")))
show("isscalar", [np.isscalar(x) for x in (1, 1.5, "a", b"a", True, np.float32(1), None, [1], a, (1,))])
show("mask_indices", np.mask_indices(3, np.triu))
show("mask_indices", np.mask_indices(3, np.tril, -1))
show("matvec", np.matvec(m, np.array([1, 0, 2])))
show("vecmat", np.vecmat(np.array([1, 0, 2]), m))
show("matvec", np.matvec(m.astype(float), np.array([[1.0, 0, 0], [0, 1.0, 1.0]])))
show("real_if_close", np.real_if_close(a))
show("tril_indices", np.tril_indices(3))
show("tril_indices", np.tril_indices(3, -1))
show("tril_indices", np.tril_indices(2, 1, 4))
show("tril_indices_from", np.tril_indices_from(m, 1))
show("triu_indices", np.triu_indices(3))
show("triu_indices", np.triu_indices(3, 1))
show("triu_indices", np.triu_indices(2, -1, m=3))
show("triu_indices_from", np.triu_indices_from(m, -1))
show("m[triu]", m[np.triu_indices(3, 1)])
show("unique_values", np.sort(np.unique_values(np.array([2, 1, 2, 3, 1]))))

print([np.dtype(t).name for t in (np.int_, np.bool_, np.object_, np.float64)], np.dtype(np.str_).kind, np.dtype(np.bytes_).kind)
print(np.bool_(1), np.int_(3.9), np.str_(12), np.bytes_(b"ab"))
print([isinstance(x, np.bool_) for x in (np.True_, n > 0, (n > 0)[0], True)])
print([isinstance(x, np.str_) for x in (np.array(["a"])[0], "a")])
print(np.array([1, "a", None], dtype=np.object_).tolist())

for value in (1, [1, 2], [[1], [2]]):
    for ndmin in (0, 1, 2, 3):
        if ndmin or value != 1:
            show("ndmin", np.array(value, ndmin=ndmin))

# Empty arrays, scalars, and shapes that do not fit.
show("absolute", np.absolute(np.array([], dtype=np.float32)))
show("around", np.around(np.float32(2.5)))
show("angle", np.angle(np.array([], dtype=float)))
show("tril_indices", np.tril_indices(0))
wrong("matvec", lambda: np.matvec(m, np.array([1, 2])))

kinds = [np.generic, np.number, np.integer, np.signedinteger, np.unsignedinteger, np.inexact, np.floating, np.flexible, np.character, np.bool_, np.int64, np.int32, np.float64, np.float32, np.str_]
for t in (bool, int, float, np.int32, np.float32, np.int64, np.uint8, str, "datetime64[D]", a.dtype, n.dtype):
    print("issubdtype", t, [np.issubdtype(t, k) for k in kinds])
print([issubclass(np.float32, k) for k in kinds])
print([isinstance(np.float64(1), k) for k in kinds + [float, int]])
print([isinstance(np.int64(1), k) for k in kinds + [float, int]])

for f in (np.add, np.multiply, np.logical_and, np.logical_or, np.maximum, np.minimum, np.subtract):
    for x in ([], [3.0, 1.0, 2.0], [True, False], m):
        for axis in (0, -1) if f is np.subtract else (0, -1, None):
            wrong((f.__name__, axis), lambda: f.reduce(np.array(x), axis=axis))
    if f is not np.subtract:
        wrong(f.__name__, lambda: f.reduce(m, axis=1, keepdims=True))
        wrong(f.__name__, lambda: f.reduce(m, initial=5))
        wrong(f.__name__, lambda: f.reduce(m, axis=(0, 1)))
    wrong(f.__name__, lambda: f.reduce([np.array([True, False]), np.array([False, False])]))
    wrong(f.__name__, lambda: f.accumulate(n))
    wrong(f.__name__, lambda: f.outer(n, np.array([1, 2])))

for among in ([2, 7], (3,), {2, 7}, frozenset([3]), m, 7, [], range(3)):
    show("isin", np.isin(n, among))
    show("isin", np.isin(m, among, invert=True))
show("isin", np.isin(np.array(["a", "b"]), {"a"}))
