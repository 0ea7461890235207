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
