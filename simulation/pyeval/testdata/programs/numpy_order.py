# Arguments that choose the order of elements, an axis, a type or a form are not passed over.
import datetime

import numpy as np

g = np.arange(6).reshape(2, 3)
cube = np.arange(12).reshape((2, 3, 2))


def told(f):
    try:
        return f()
    except Exception as e:
        return type(e).__name__


print(g.flatten(order="F").tolist(), g.flatten("F").tolist(), g.ravel(order="F").tolist(), np.ravel(g, order="F").tolist(), g.ravel("C").tolist(), cube.ravel(order="F").tolist())
print(np.arange(6).reshape((2, 3), order="F").tolist(), np.reshape(g, (3, 2), order="F").tolist(), g.reshape(3, -1, order="F").tolist(), cube.reshape(4, 3, order="F").tolist(), np.arange(3).ravel(order="F").tolist(), np.arange(3).flatten("F").tolist())
print(told(lambda: g.reshape(3, 2, order="X")), told(lambda: g.flatten(order="X")), told(lambda: g.flatten(other=1)), told(lambda: g.reshape(3, 2, other=1)), told(lambda: np.arange(2).ravel(order="X")))
print(np.size(g, axis=1), np.size(g, 1), np.size(g), np.size(g, -2), np.size([1, 2]), told(lambda: np.size(g, 2)) != 3)
moment = datetime.datetime(2020, 1, 2, 3, 4, 5)
print(moment.isoformat(sep=" "), moment.isoformat(" ", "minutes"), moment.isoformat(timespec="hours"), moment.isoformat(timespec="seconds"), moment.isoformat(), datetime.date(2020, 1, 2).isoformat())
print(np.vstack([[1, 2], [3, 4]], dtype=float).tolist(), np.hstack([[1], [2]], dtype=float).tolist(), np.concatenate([g, g], axis=1, dtype=float).tolist(), np.stack([[1], [2]], dtype=float).tolist())
print(np.vectorize(lambda x: x + 1, otypes=[float])(g).tolist(), np.vectorize(lambda x, y: x * y)(cube, 3).tolist(), np.vectorize(max)(g, g[::-1]).tolist(), np.transpose(g, axes=(1, 0)).tolist(), g.transpose(1, 0).tolist(), g.astype(float, copy=False).tolist())
print(np.array(g, order="F").tolist(), g.copy(order="F").tolist())
a, n = np.array([3.5, -1.25, 2.0, 7.5]), np.array([1.0, np.nan, -3.0])
print(np.digitize(a, [5, 2, 0]).tolist(), np.digitize(a, [5, 2, 0], right=True).tolist(), np.digitize(a, [0, 2, 5]).tolist(), np.digitize(a, [2.0]).tolist(), np.digitize(2, [3, 1]), told(lambda: np.digitize(a, [0, 2, 1])))
print(np.vstack(a).tolist(), np.vstack([1, 2]).tolist(), np.column_stack(a).tolist(), np.vstack([a, a]).shape, np.vstack([[1], 2]).tolist(), told(lambda: np.vstack([a, n])))
print(np.polymul(a, [0, 2]).tolist(), np.angle(n).tolist(), [part.tolist() for part in [np.histogramdd(a, bins=2)[0], np.histogramdd(a, bins=2)[1][0]]])
print(np.sum(a, dtype=np.float32), a.mean(dtype=np.float32), np.var(a, dtype=np.float32), np.cumsum(a, dtype=int).tolist(), np.sum(a, dtype=int))
print(np.ascontiguousarray(g.T).tolist(), np.asfortranarray([1, 2], dtype=float).tolist(), np.ascontiguousarray(3).shape)
