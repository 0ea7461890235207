# Trigonometry: values, types, broadcasting, the borders of the domains.
import numpy as np

np.seterr(all="ignore")


def shown(x, digits=12):
    return [round(float(v), digits) for v in x]


a = np.array([-2.0, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 3.0])
f = a.astype(np.float32)
i = np.array([-1, 0, 1, 2], dtype=np.int32)
one = ("sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "deg2rad", "rad2deg", "radians", "degrees")
for name in one:
    g = getattr(np, name)
    print(name, shown(g(a)), shown(g(f), 4), shown(g(i)), round(float(g(0.5)), 12), g(f).dtype, g(i).dtype, np.asarray(g(1)).dtype)
for name in ("arctan2", "hypot"):
    g = getattr(np, name)
    print(name, shown(g(a, 2.0)), shown(g(a, a[::-1])), shown(g(f, f[::-1]), 4), shown(g(i, 3)))
    print(g(f, f).dtype, g(f, 2.0).dtype, g(f, a).dtype, g(i, i).dtype, np.asarray(g(1, 2)).dtype, g(0.0, -1.0), g(-0.0, -1.0), round(float(g(3, 4)), 12))
try:
    np.hypot(a, i)
except ValueError:
    print("lengths")
