# Functions element by element, of bits, days and polynomials, of matrices, and what is said about types.
import warnings

import numpy as np
from drawn import FULL, TYPES, Draw, ask, named

warnings.simplefilter("ignore")
DRAWS = 10
INTEGERS, FLOATS = ["int16", "int32", "int64"], ["float32", "float64"]
ONE = "abs fabs floor ceil trunc rint fix sign square negative positive sqrt exp log log1p isnan isfinite isinf isposinf isneginf signbit logical_not nan_to_num reciprocal modf frexp spacing round sinc cbrt exp2 rad2deg deg2rad degrees radians".split()
for k, name in enumerate(ONE):
    d = Draw(k + 1)
    for _ in range(DRAWS):
        least = 0 if name in ("sqrt", "log1p", "cbrt") else 1 if name in ("log", "reciprocal") else None
        types = FLOATS if name in ("floor", "ceil", "trunc", "fix") else INTEGERS + FLOATS  # integers stay integers only from numpy 2.1 on
        ask(name, named(name), [d.array(types=types, nans=True, least=least)])
TWO = "add subtract multiply divide true_divide floor_divide remainder mod fmod power float_power maximum minimum fmax fmin equal not_equal less greater less_equal greater_equal logical_and logical_or logical_xor arctan2 hypot copysign heaviside divmod isclose logaddexp logaddexp2 nextafter".split()
for k, name in enumerate(TWO):
    d = Draw(k + 101)
    for _ in range(DRAWS):
        types = FLOATS if name in ("nextafter", "logaddexp", "logaddexp2", "float_power", "arctan2", "hypot") else INTEGERS + FLOATS
        least = 1 if "div" in name or name in ("power", "float_power", "remainder", "mod", "fmod") else None
        a = d.array(types=types, nans=True, least=least)
        ask(name, named(name), [a, d.like(a, types=types, least=least)])
for k, name in enumerate("add multiply maximum logical_and divide".split()):
    d = Draw(k + 201)
    for _ in range(DRAWS):
        a = d.array(d.of(FULL), types=INTEGERS + FLOATS, least=1)
        ask(name, named(name), [a, d.array(a.shape, types=FLOATS, least=1)], {"out": np.full(a.shape, 9.0), "where": d.array(a.shape, types=["bool"])})
for k, name in enumerate("bitwise_and bitwise_or bitwise_xor left_shift right_shift bitwise_left_shift bitwise_right_shift gcd lcm ldexp".split()):
    d = Draw(k + 301)
    for _ in range(DRAWS):
        a = d.array(types=FLOATS if name == "ldexp" else INTEGERS)
        ask(name, named(name), [a, d.like(a, types=INTEGERS, least=0 if "shift" in name else None)])
d = Draw(401)
for _ in range(DRAWS):
    a, b = d.array(types=INTEGERS), d.array(types=["bool"])
    ask("bitwise_count", lambda x: np.bitwise_count(x).tolist(), [a])
    ask("invert", np.invert, [d.of([a, b])])
    ask("bitwise_not", np.bitwise_not, [d.of([a, b])])
for n in (0, 1, 2, 5, 10, 255, -1, -2, -5, -8):
    print(n, np.binary_repr(n), np.binary_repr(n, 10), np.base_repr(n, 3), np.base_repr(n, 16, 2))
for k, name in enumerate("clip where select choose piecewise interp".split()):
    d = Draw(k + 501)
    for _ in range(DRAWS * 2):
        a = d.array(d.of(FULL), types=INTEGERS + FLOATS)
        if name == "clip":
            ask(name, np.clip, [a, d.of([None, 0, d.like(a, types=[str(a.dtype)])]), d.of([2, 5])])
        elif name == "where":
            ask(name, np.where, [d.array(a.shape, types=["bool"]), a, d.like(a)])
        elif name == "select":
            ask(name, np.select, [[a > 2, a > 0], [a, a * 2]], d.of([{}, {"default": 7}]))
        elif name == "choose":
            ask(name, np.choose, [d.array(a.shape, types=INTEGERS), [a, a * 2, d.like(a)]], {"mode": d.of(["raise", "wrap", "clip"])})
        elif name == "piecewise":
            ask(name, lambda x: np.piecewise(x, [x < 0, x > 1], [-1, lambda v: v * 2, 0]), [a])
        else:
            ask(name, np.interp, [a, [0, 1, 4], [2.0, 3.0, 9.0]], d.of([{}, {"left": -1, "right": 8}]))
for k, name in enumerate("polyval polyadd polysub polymul polyder polyint polydiv poly convolve correlate vander outer kron".split()):
    d = Draw(k + 601)
    for _ in range(DRAWS):
        a, b = d.array(d.of([(1,), (4,), (6,)]), types=INTEGERS + FLOATS, least=1), d.array(d.of([(1,), (3,), (4,)]), types=INTEGERS + FLOATS, least=1)
        if name in ("polyder", "polyint"):
            ask(name, named(name), [a], {"m": d.of([1, 2])})
        elif name in ("poly", "vander"):
            ask(name, named(name), [b.astype(float)])
        elif name == "polyval":
            ask(name, np.polyval, [b.astype(int), d.array(d.of(FULL), types=["int64", "float64"])])
        elif name == "polydiv":
            ask(name, np.polydiv, [a.astype(float), b.astype(float)])
        else:
            ask(name, named(name), [a, b], {"mode": d.of(["full", "same", "valid"])} if name in ("convolve", "correlate") else {})
for k, name in enumerate("dot matmul inner vdot tensordot cross cov corrcoef vecdot".split()):
    d = Draw(k + 701)
    for _ in range(DRAWS):
        one, two = d.of([((3,), (3,)), ((2, 3), (3,)), ((2, 3), (3, 2)), ((3,), (3, 2)), ((2, 2, 3), (3, 2)), ((2, 3), (2, 3))])
        if name == "tensordot":
            ask(name, np.tensordot, [d.array((2, 3), types=INTEGERS + FLOATS), d.array((3, 2), types=INTEGERS + FLOATS)], {"axes": d.of([1, ((1,), (0,)), 0])})
        elif name == "cross":
            ask(name, np.cross, [d.array((2, 3)), d.array(d.of([(3,), (2, 3)]), types=INTEGERS + FLOATS)])
        elif name in ("cov", "corrcoef"):
            ask(name, named(name), [np.array([[1.0, 2.0, 4.0], [3.0, 1.0, 5.0]]) + d.below(5), d.array((3,), types=FLOATS) + np.arange(3)])
        else:
            ask(name, named(name), [d.array(one, types=INTEGERS + FLOATS), d.array(two, types=INTEGERS + FLOATS)])
for one in TYPES:
    print(one, [str(np.promote_types(one, two)) for two in TYPES], [np.can_cast(one, two) for two in TYPES], [np.can_cast(one, two, "same_kind") for two in TYPES])
    print(str(np.result_type(np.dtype(one), np.zeros(2, dtype="int32"))), np.isdtype(np.dtype(one), "integral"), np.isdtype(np.dtype(one), ("bool", "real floating")), np.zeros(2, dtype=one).itemsize)
days = np.array(["2024-02-28", "2024-03-02", "2023-12-31", "2024-05-01"], dtype="datetime64[D]")
for roll in ("forward", "backward", "following", "preceding", "modifiedfollowing", "modifiedpreceding"):
    print(roll, np.busday_offset(days, 0, roll=roll), np.busday_offset(days, [1, -2, 3, 10], roll=roll, holidays=["2024-05-01", "2024-01-01"]))
print(np.is_busday(days), np.is_busday(days, weekmask="Sat Sun"), np.is_busday("2024-05-01", holidays=["2024-05-01"]))
print(np.is_busday(days, busdaycal=np.busdaycalendar("1111110", ["2024-05-01"])), np.datetime_as_string(days, unit="M"), np.datetime_data(days.dtype))
print(np.fromstring("1 2  3", sep=" "), np.fromstring("1,2,3", dtype=int, sep=","), np.geomspace(1, 1000, 4).round(9), np.logspace(0, 2, 3), np.asfarray if False else "", np.array_str(days[:1]))
values = np.array([5.0, 1.0, 3.0])
values.sort()
print(values)
values.fill(2)
print(values, values.real, values.imag, values.conj(), values.flat[1], values.compress([1, 0, 1]))
table = np.array([[3, 1], [0, 2]])
table.sort(axis=0)
print(table.tolist(), table.trace(), table.diagonal(), table.mT.tolist())
np.fill_diagonal(table, 8)
np.put_along_axis(table, np.array([[0], [0]]), 5, axis=1)
print(table.tolist())
ask("flip", np.flip, [np.float32(0.25)])
ask("logaddexp2", np.logaddexp2, [np.float32(0), np.float32(1.5)])
ask("logaddexp", np.logaddexp, [np.float32(1.5), np.float32(1.5)])
