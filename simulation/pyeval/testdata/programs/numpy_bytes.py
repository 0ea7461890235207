# Functions and types of numpy that few formulas use.
import numpy as np


def show(name, v):
    v = np.asarray(v)
    print(name, v.dtype, v.tolist())


a = np.array([-7.5, 7.5, -4.0, 0.25], dtype="float32")
n = np.array([-7, 7, -4, 3])
show("fmod", np.fmod(a, 2))
show("fmod", np.fmod(n, 3))
show("fmod", np.fmod(7, -3))
show("fmod", np.fmod(np.array([5.5, -5.5]), np.array([-2.0, 1.5])))
show("outer", np.outer([1, 2, 3], [10, 20]))
show("outer", np.outer(a[:2], a[2:]))
show("inner", np.inner([1, 2, 3], [4, 5, 6]))
show("reciprocal", np.reciprocal(a[:3]))
show("reciprocal", np.reciprocal(4.0))
show("reciprocal", np.reciprocal(np.array([1, 2, -1, -5])))
show("heaviside", np.heaviside(np.array([-1.5, 0, 2.0]), 0.5))
show("float_power", np.float_power(np.array([2, 3]), 2))
show("isposinf", np.isposinf(np.array([np.inf, -np.inf, 1.0])))
show("isneginf", np.isneginf(np.array([np.inf, -np.inf, 1.0])))
show("setxor1d", np.setxor1d([3, 1, 2], [2, 4]))
show("delete", np.delete(np.array([1, 2, 3, 4]), [1, 3]))
show("divmod", np.divmod(np.array([7, -7]), 3)[0])
show("divmod", np.divmod(np.array([7, -7]), 3)[1])
show("nanstd", np.nanstd(np.array([1.0, np.nan, 3.0])))
show("nanprod", np.nanprod(np.array([2.0, np.nan, 3.0])))

b = np.array([1, 2, 3, 4])
np.putmask(b, b > 2, 0)
show("putmask", b)
b = np.array([1, 2, 3, 4])
np.putmask(b, b > 1, np.array([10, 20]))
show("putmask", b)
b = np.array([1.5, 2.5, 3.5])
np.place(b, b > 2, [7, 8, 9])
show("place", b)
b = np.zeros(3)
np.copyto(b, [1, 2, 3])
show("copyto", b)
np.copyto(b, 9, where=np.array([True, False, True]))
show("copyto", b)
np.put(b, [0, 1], [5, 6])
show("put", b)
np.multiply(b, 2, out=b)
show("out", b)
np.maximum(b, 11, out=b)
show("out", b)


class Holder:
    pass


h = Holder()
h.x = np.array([1, 2, 3])
np.putmask(h.x, h.x == 2, -1)
show("attribute", h.x)
rows = {"k": np.array([1, 2, 3])}
np.putmask(rows["k"], [True, False, True], 0)
show("item", rows["k"])

for value in (0, 1, -1, 127, 128, 200, 255, 256, 300, -129):
    print(value, np.array([value]).astype(np.int8).tolist(), np.array([value]).astype(np.uint8).tolist())
print(np.array([True, False]).astype(np.int8).tolist(), int(np.int8(5)), int(np.uint8(200)), np.zeros(2, dtype=np.uint8).tolist())
print((np.array([1, 2]).astype(np.int8) * np.array([1.5, 2.5], dtype="float32")).dtype, (np.array([1], dtype=np.uint8) + np.array([1])).dtype)
print(isinstance(np.int8(1), np.integer), np.issubdtype(np.int8, np.integer))

print(n.prod(), n.cumprod().tolist(), np.ptp(n), n.std(), a.var().dtype, n.dot(n), np.sort(n).searchsorted(3), n.squeeze().tolist())
print(np.finfo(np.float32).max, np.finfo(np.float64).eps, np.iinfo(np.int32).max, np.iinfo(np.int16).min)
