import numpy as np
from scipy import optimize
from scipy.optimize import fsolve


def show(name, x):
    print(name, [float(f"{v:.7g}") for v in x])


def net(gross):
    base = gross * (1 - 0.0918)
    tax = np.maximum(base - 416, 0) * 0.26 + np.maximum(base - 1666, 0) * 0.02
    return base - tax


show("list", fsolve(lambda x: [x[0] + 2 * x[1] - 3, x[0] * x[1] - 1], [3, 0.1]))
show("number", fsolve(lambda x: x ** 2 - 2, 1))
show("arguments", fsolve(lambda x, a, b: a * x ** 2 - b, 1.0, args=(2, 8)))
show("one argument", fsolve(lambda x, a: x ** 2 - a, 1.0, args=9))
show("inverse", fsolve(lambda gross: net(gross) - np.array([1500.0, 800.0, 300.0]), np.array([1500.0, 800.0, 300.0]), xtol=0.001))

wanted = np.array([1500, 800], dtype=np.float32)
x = optimize.fsolve(lambda gross: net(gross.astype(np.float32)) - wanted, wanted * 1.25, xtol=1 / 100)
print("narrow", x.dtype, x.astype(np.float32).round(1))

x, info, status, message = fsolve(
    lambda x: [x[0] * np.exp(-x[1]) - 4, x[1] * x[0] - x[1] - 5], [1, 1],
    fprime=lambda x: [[np.exp(-x[1]), -x[0] * np.exp(-x[1])], [x[1], x[0] - 1]], full_output=True)
show("full", x)
print(status, info["nfev"], info["njev"], len(info["fvec"]), len(info["r"]), len(info["qtf"]), info["fjac"].shape, type(message).__name__)

x, info, status, message = fsolve(
    lambda x: [x[0] * np.exp(-x[1]) - 4, x[1] * x[0] - x[1] - 5], [1, 1], full_output=1, factor=1, diag=[1, 2], epsfcn=1e-10)
show("options", x)
print(status, info["nfev"], sorted(info))
show("banded", fsolve(lambda x: x ** 3 - np.array([1.0, 8.0, 27.0]), [2.0, 2.0, 2.0], band=(0, 0)))

for wrong in (
    lambda: fsolve(lambda x: x[:1], [1.0, 2.0]),
    lambda: fsolve(lambda x: x, [1.0], xtol=-1),
    lambda: fsolve(lambda x: 1 / 0, [1.0]),
):
    try:
        wrong()
    except (TypeError, ZeroDivisionError) as e:
        print(type(e).__name__)
