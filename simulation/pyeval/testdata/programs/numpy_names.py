# Names of numpy that few packages use, and its other names for what many use.
import numpy as np

a = np.array([3.0, -1.5, 0.0, 8.25])
f = a.astype(np.float32)
i = np.array([5, 0, -9, 4], dtype=np.int32)
empty = np.array([])
gaps = np.array([2.0, np.nan, 5.0, 1.0])

print(np.NaN, np.NAN, np.Inf, np.Infinity, np.PINF, np.infty, np.NINF, np.NZERO, np.PZERO, np.euler_gamma, np.True_, np.False_)
print(np.alltrue(a > -2), np.sometrue(i > 5), np.alltrue(empty), np.bitwise_not(i), np.bitwise_not(np.array([True, False])))
print(np.row_stack([i, i]), np.intc is np.int32, np.longlong(7), np.short is np.int16, np.single is np.float32, np.intp is np.int64)
print(np.ndim(a), np.ndim(3), np.ndim([[1, 2], [3, 4]]), np.iterable([1]), np.iterable(2))
print(np.identity(3), np.identity(2, dtype=int), np.identity(2).dtype)
print(np.argwhere(i), np.argwhere(a > 100).shape)
for x in a, f, i, -0.0, 0.0, empty:
    print(np.signbit(x))
print(np.copysign(a, -1.0), np.copysign(i, -2), np.copysign(3.0, a))
print(np.trapz(a), np.trapz(f), np.trapz(i), np.trapz(a, dx=0.5), np.trapz(a, x=[0.0, 1.0, 3.0, 4.0]))
print(np.ediff1d(i), np.ediff1d(a), np.ediff1d(empty))
print(np.trim_zeros(np.array([0, 0, 1, 0, 2, 0])), np.trim_zeros(np.array([0, 1, 0]), "f"), np.trim_zeros([0, 3, 0], "b"), np.trim_zeros(np.array([0, 0])))
print(np.logspace(0, 3, 4), np.logspace(0, 2, 3, base=2.0), np.logspace(0, 3, 3, endpoint=False).round(6))
print(np.nancumsum(gaps), np.nancumsum(a), np.nanargmax(gaps), np.nanargmin(gaps))
print(np.array_split(i, 3), np.array_split(i, [1, 3]), np.split(i, 2), np.array_split(a, 6))
try:
    np.split(i, 3)
except ValueError as e:
    print(e)
