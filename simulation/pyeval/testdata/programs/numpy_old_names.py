# Names that numpy 1.26 has and numpy 2 has not.
import warnings

import numpy as np

warnings.simplefilter("ignore")
if not hasattr(np, "msort"):
    raise ModuleNotFoundError("numpy 1.26")

print(np.Inf, np.Infinity, np.PINF, np.infty, np.NINF, np.NAN, np.NaN, np.PZERO, np.NZERO)
a = np.array([[3.0, 1.0], [2.0, 0.0]])
n = np.array([3, 1, 2])
print(np.alltrue(n), np.alltrue(a > 1, axis=0).tolist(), np.alltrue(a), np.alltrue([]))
print(np.sometrue(n > 2), np.sometrue(a > 2, axis=1).tolist(), np.sometrue([]))
for x in (n, [1, 2], 3, n.astype(np.float32), n > 1):
    f = np.asfarray(x)
    print(f.dtype, f.tolist())
print(np.asfarray(n, dtype=np.float32).dtype, np.asfarray(n, dtype=int).dtype)
print(np.cumproduct(n).tolist(), np.cumproduct(a, axis=1).tolist(), np.cumproduct(a).tolist())
print(np.product(n), np.product(a, axis=0).tolist(), np.product(a, axis=1, keepdims=True).tolist(), np.product(n > 0).dtype)
for arrays, scalars in (([], [np.int64, np.float32]), ([np.float32], [np.int64]), ([np.float32], [np.float64]), ([np.int32, np.int64], []), ([np.int32], [np.float64]), ([], [np.bool_])):
    print(np.find_common_type(arrays, scalars))
print(np.float_ is np.float64, np.dtype(np.float_), np.float_("1.5"), np.string_(b"a"), np.unicode_("b"), np.unicode_ is np.str_, np.string_ is np.bytes_)
print(np.in1d(n, [1, 5]).tolist(), np.in1d(n, [1, 5], invert=True).tolist(), np.in1d(a, [0, 3]).tolist(), np.in1d([], [1]).tolist())
print(np.issubclass_(np.int32, np.integer), np.issubclass_(int, float), np.issubclass_(3, int))
print(np.msort(n).tolist(), np.msort(a).tolist())
print(np.round_(np.array([1.25, 2.5, -1.35]), 1).tolist(), np.round_(2.567, 2))
print(np.trapz([1, 2, 3]), np.trapz([1, 2, 3], x=[0, 1, 4]), np.trapz([1, 2, 3], dx=2), np.trapz(a, axis=0).tolist())
