# What is put at places goes where it is told to, in the order of the places.
import numpy as np

p = np.zeros(3, dtype=np.int64)
p[np.array([2, 0, 1])] = np.array([1, 2, 3])
print(p.tolist())
p[[1, -1]] = [8, 9]
p[[0, 0]] = [5, 6]
print(p.tolist())
p[::-1] = np.array([1, 2, 3])
print(p.tolist())
p[2:0:-1] = [7, 8]
print(p.tolist())
p[np.array([0, 2])] += np.array([100, 200])
p[np.argsort(np.array([5.0, 1.0, 3.0]))] = np.arange(3)
p[np.array([1, 2])] = 4
print(p.tolist())
words = np.array(["a", "bb", "c"])
words[[2, 0]] = ["x", "y"]
print(words.tolist())
p[np.array([], dtype=int)] = 9
p[1:1] = []
print(p.tolist())
for wrong in ([1, 2, 3], []):
    try:
        p[[0, 1]] = wrong
    except ValueError as e:
        print("ValueError")

a = np.zeros((3, 2))
a[[2, 0]] = np.array([[1, 2], [3, 4]])
print(a.tolist())
a[:, [1, 0]] = np.array([[1, 2], [3, 4], [5, 6]])
print(a.tolist())
a[::-1] = np.array([[1, 2], [3, 4], [5, 6]])
print(a.tolist())
a[[1, 0], [0, 1]] = [70, 80]
print(a.tolist())
a[np.array([2, 1]), 0] = np.array([-1, -2])
print(a.tolist())
a[0, ::-1] = [11, 22]
a[::-1, 1] = [1, 2, 3]
print(a.tolist())
a[np.array([True, False, True])] = np.array([[9, 9], [8, 8]])
a[np.array([False, True, False]), 1] = 5
print(a.tolist())
c = np.zeros((2, 2, 2))
c[[1, 0], :, 0] = np.array([[1, 2], [3, 4]])
c[0, [1, 0]] = np.array([[5, 6], [7, 8]])
print(c.tolist())

# The places of an array that a function of two operands changes, each as often as it is named.
lowest = np.full(4, 9)
np.minimum.at(lowest, np.array([2, 0, 2]), np.array([5, 7, 3]))
print(lowest, lowest.dtype)
totals = np.zeros(3)
np.add.at(totals, [0, 2, 2, 2], [1, 2, 3, 4.5])
np.add.at(totals, totals > 5, 1)
print(totals)
table = np.arange(6).reshape(2, 3)
np.add.at(table, ([0, 1, 0], [2, 0, 2]), 10)
np.multiply.at(table, (slice(None), 1), [2, 3])
print(table)
seen = np.zeros(3, dtype=bool)
np.logical_or.at(seen, [1, 1], [False, True])
np.maximum.at(totals, np.array([], dtype=int), np.array([]))
print(seen, totals)
try:
    np.add.at(totals, [5], 1)
except IndexError as e:
    print("IndexError")

# Arrays without dimensions.
for x in (3, 0):
    z = np.asarray(x, dtype=float)
    chosen = z > 0
    print(z[chosen].tolist(), z[~chosen].tolist(), (z[chosen] + 1).shape)
    raw = np.zeros_like(z, dtype=float)
    raw[chosen] = 2 * z[chosen]
    raw[~chosen] = 7
    raw[z > 2] += 1
    print(float(raw))
