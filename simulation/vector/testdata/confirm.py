"""Asks numpy 1.26 for the answers that the tests of package vector compare with.

    python confirm.py > answers.txt          digests, for recording:  | gzip -9n > answers.txt.gz
    python confirm.py full > answers.txt     whole answers, for finding out what differs

Lines:
    @name form dtype v,v,...      an operand: form a array, n numpy scalar, p Python scalar
    op name name ... = answer     a case; answer is a digest of "form dtype v,v,..." or ! and the exception
    mode weak                     from here on: NEP 50
Values: floats as hexadecimal bits (nan for every NaN), text as hexadecimal UTF-8, all else as decimal integers.
"""
import itertools
import operator
import sys
import warnings
import zlib

import numpy as np

warnings.simplefilter("ignore")
np.seterr(all="ignore")
FULL = len(sys.argv) > 1
OWN = {"bool": "?", "int16": "i2", "int32": "i4", "int64": "i8", "float32": "f4", "float64": "f8"}
KINDS = TypeError, ValueError, IndexError, OverflowError, ZeroDivisionError
operands = {}


def name_of(dtype):
    if dtype.kind in "mM":
        unit = np.datetime_data(dtype)[0]
        return dtype.kind + "8" + ("" if unit == "generic" else "[" + unit + "]")
    if dtype.kind in "US":
        return dtype.kind + str(dtype.itemsize // (4 if dtype.kind == "U" else 1))
    return OWN.get(dtype.name)


def values(a):
    kind = a.dtype.kind
    if kind == "f":
        bits = a.view("u4" if a.dtype.itemsize == 4 else "u8")
        return ",".join("nan" if x != x else "%x" % b for x, b in zip(a.tolist(), bits.tolist()))
    if kind in "mM":
        return ",".join(str(v) for v in a.view("i8").tolist())
    if kind == "U":
        return ",".join(v.encode().hex() for v in a.tolist())
    if kind == "S":
        return ",".join(v.hex() for v in a.tolist())
    return ",".join(str(int(v)) for v in a.tolist())


def describe(v):
    """The answer, or None for types that package vector does not have."""
    a = np.asarray(v)
    dtype = name_of(a.dtype)
    if dtype is None or a.ndim > 1:
        return None
    return ("s" if a.ndim == 0 else "a") + " " + dtype + " " + values(np.atleast_1d(a))


def define(name, v):
    operands[name] = v
    a = np.asarray(v)
    form = "a" if a.ndim else "n" if isinstance(v, (np.generic, np.ndarray)) else "p"
    print("@" + name, form, name_of(a.dtype), values(np.atleast_1d(a)))
    return name


def case(op, f, *names):
    try:
        answer = describe(f(*(operands[n] for n in names)))
    except Exception as e:
        answer = next(("!" + k.__name__ for k in KINDS if isinstance(e, k)), None)
    if answer is None or answer == "!OverflowError" and op in BINARY[7:13]:  # numpy 2 compares, its rehearsal in 1.26 does not
        return
    if not FULL and answer[0] != "!":
        answer = "%08x" % zlib.crc32(answer.encode())
    print(op, *names, "=", answer)


BINARY = """add subtract multiply divide floor_divide remainder power equal not_equal less less_equal greater
greater_equal bitwise_and bitwise_or bitwise_xor logical_and logical_or logical_xor minimum maximum nextafter""".split()
UNARY = """negative positive absolute invert logical_not floor ceil trunc rint fabs sign square sqrt
isnan isinf isfinite""".split()

FLOATS = [0.0, -0.0, 1.0, -1.0, 0.1, 2.5, -3.75, 1e10, -7e-12, np.inf, -np.inf, np.nan, 16777217.0, 0.5, 3.0, 1e-40]
INTS = [0, 1, -1, 2, -3, 7, 10, -128, 255, 3, -2, 100, 5, 4, 6, 12]


def number_arrays():
    for t, extremes in ("i2", [-(2**15), 2**15 - 1]), ("i4", [-(2**31), 2**31 - 1]), ("i8", [-(2**63), 2**63 - 1]):
        v = np.array(INTS + extremes, t)
        define(t, v)
        define(t + "r", v[::-1].copy())
        define(t + "p", np.abs(np.array(INTS + [0, 1], t)) % 9)
    for t in "f4", "f8":
        v = np.array(FLOATS + [3e38, -3e38], t)
        define(t, v)
        define(t + "r", np.roll(v, 5))
        define(t + "p", np.array([0, 1, 2, 0.5, -1, 3, 2, 1, 2, 2, 1, 2, 0, 2, 3, 1, 1, 0], t))
    b = np.array([True, False, True, True, False, False] * 3)
    define("b", b)
    define("br", np.roll(b, 2))
    define("bp", np.roll(b, 1))


def scalars():
    """Numpy and Python scalars around every threshold of value-based promotion."""
    found = []
    for k, v in enumerate([0, 1, -1, 3, 100, 255, 256, 32767, 32768, 65535, 65536, -32768, -32769, 2**31 - 1, 2**31, 2**32,
                           -(2**31), -(2**31) - 1, 2**53 + 1, 2**63 - 1, -(2**63)]):
        found.append(define("pi%d" % k, v))
        for t in "i2", "i4", "i8":
            if np.iinfo(t).min <= v <= np.iinfo(t).max:
                found.append(define("n%s_%d" % (t, k), np.array(v, t)[()]))
    for k, v in enumerate([0.0, -0.0, 0.1, 2.0, 0.5, -3.7, 65504.0, 70000.0, 3.3e38, 3.5e38, 1e300, -1e300, 1e-300, np.inf, np.nan]):
        found.append(define("pf%d" % k, v))
        found.append(define("nf8_%d" % k, np.float64(v)))
        found.append(define("nf4_%d" % k, np.float32(v)))
    for v in False, True:
        found.append(define("pb%d" % v, v))
        found.append(define("nb%d" % v, np.bool_(v)))
    return found


def function(op):
    """Equality of what cannot be compared is false for the operators, an error for the functions: the operators count."""
    return {"equal": operator.eq, "not_equal": operator.ne}.get(op) or getattr(np, op)


def binary_cases(some):
    arrays = ["b", "i2", "i4", "i8", "f4", "f8"]
    few = [s for s in some if s in ("pb1", "nb1", "pi0", "pi3", "pi10", "pi14", "ni2_3", "ni4_2", "ni8_14", "pf2", "pf8", "pf9",
                                    "nf4_2", "nf8_5", "nf4_14", "pf14")]
    for op in BINARY:
        f = function(op)
        second = "p" if op == "power" else "r"
        for x, y in itertools.product(arrays, arrays):
            if op != "power" or "f" not in x + y:  # C libraries and processors differ in the last bit
                case(op, f, x, y + second)
        if op == "power":
            continue
        for x in arrays:
            for s in some:
                case(op, f, x, s)
                if s in few:
                    case(op, f, s, x)
        for x, y in itertools.product(few, few):
            case(op, f, x, y)
    for x in arrays:
        for s in "pi1", "pi3", "pi2", "ni4_3", "pb1":
            if x[0] != "f":
                case("power", np.power, x, s)
        for s in "pi1", "pf3":
            case("power", operator.pow, x, s)


def unary_cases(some):
    for op in UNARY:
        for x in ["b", "i2", "i4", "i8", "f4", "f8", *some]:
            case(op, getattr(np, op), x)
    for d in range(-3, 6):
        for x in ["i2", "i4", "i8", "f4", "f8", *some]:
            case("round:%d" % d, lambda v: np.round(v, d), x)


def iadd(f):
    def run(a, b):
        a = a.copy()
        return f(a, b, out=a)
    return run


def choice_cases(some):
    arrays = ["b", "i2", "i4", "i8", "f4", "f8"]
    few = some[::5]
    for x, y in itertools.product(arrays, arrays + some):
        case("where", np.where, "bp", x, y)
        case("where", np.where, "bp", y, x)
    for x, y in itertools.product(few, few):
        case("where", np.where, "bp", x, y)
        case("where", np.where, "pb1", x, y)
        case("select", lambda c, d, p, q, z: np.select([c, d], [p, q], z), "b", "bp", x, "f4", y)
    for x, y in itertools.product(arrays, arrays):
        case("select", lambda c, d, p, q, z: np.select([c, d], [p, q], z), "b", "bp", x, y, "pi0")
    for x in arrays:
        case("select", lambda c, p, z: np.select([c], [p], z), x, "f4", "pi0")
        for s in some:
            case("select", lambda c, p, z: np.select([c], [p], z), "b", x, s)


def bound_cases(some, arrays):
    for x, y in itertools.product(arrays, arrays):
        case("clip", np.clip, "f4", x, y)
        for op in "add", "multiply", "divide", "subtract":
            case("i" + op, iadd(getattr(np, op)), x, y + "r")
    for x in arrays:
        for s in some:
            case("clip", np.clip, x, "pi0", s)
            case("clip", np.clip, x, s, "f4r")
            for op in "add", "multiply", "divide":
                case("i" + op, iadd(getattr(np, op)), x, s)


CASTS = "? i2 i4 i8 f4 f8 U S U3 S4 M8[D] M8[M] M8[Y] m8[D] m8[M] m8[Y]".split()


def text_operands():
    define("us", np.array(["1", "-5", "42", "7"]))
    define("uw", np.array(["1", "0", " 12 ", "0"]))
    define("uf", np.array(["1.5", "-2e3", "nan", "inf"]))
    define("ub", np.array(["a", "b1", "\u00e9t\u00e9", ""]))
    define("ud", np.array(["2020-01-31", "1969-12-31", "2000-02-29", "NaT"]))
    define("um", np.array(["2020-01", "1969-12", "2000-02", "1900-03"]))
    define("uc", np.array(["b", "a", "c", "b1"]))
    define("sb", np.array([b"1", b"12", b"3", b"0"]))
    define("sc", np.array([b"a", b"bcd", b"", b"1"]))
    define("pu", "b")
    define("pu5", "b1xyz")
    define("ps", b"bcd")
    define("nu", np.str_("a"))


def cast_cases(some):
    for x in ["b", "i2", "i4", "i8", "f4", "f8", "us", "uw", "uf", "ub", "ud", "um", "sb", "sc", "dD", "dM", "dY", "tD", "tM", "tY", *some[::3]]:
        for d in CASTS:
            if d in ("S4", "U3") and x[0] == "d" or d[0] in "Mm" and (operands_kind(x) in "SU" or operands_kind(x) == "f" and np.asarray(operands[x]).ndim == 0):
                continue
            case("cast:" + d, lambda v: np.asarray(v).astype(d), x)


    for x in "ud", "um":
        for d in "M8[D]", "M8[M]", "M8[Y]":
            case("cast:" + d, lambda v: v.astype(d), x)


def operands_kind(x):
    return np.asarray(operands[x]).dtype.kind


def text_cases():
    texts = ["us", "ub", "uc", "ud", "pu", "pu5", "nu", "sb", "sc", "ps"]
    others = ["pi3", "pf2", "pb1", "dD4"]
    define("dD4", np.array([0, 1, 2, 3], "M8[D]"))
    define("m4", np.array([True, False, True, False]))
    for x, y in itertools.product(texts, texts + others):
        for op in "equal", "not_equal", "less", "greater_equal", "add", "logical_and", "minimum":
            case(op, function(op), x, y)
        case("where", np.where, "m4", x, y)
        if y not in others:
            case("startswith", np.char.startswith, x, y)
    for x in texts:
        case("unique", np.unique, x)
        case("sort", np.sort, x)
        case("isin", np.isin, x, "uc")
        case("concat", lambda p, q: np.concatenate([p, q]), x, "uc")


def day_values():
    return np.array([0, 1, -1, 59, 365, 366, 10957, 11016, 18262, 20000, -25567, -719162, 2932896, 31, 364, -365, 730, -(2**63)], "i8")


def time_operands():
    days = day_values()
    nat = days == -(2**63)
    for u, v in ("D", days), ("M", np.where(nat, days, days // 31)), ("Y", np.where(nat, days, days // 366)), ("W", np.where(nat, days, days // 7)):
        define("d" + u, v.view("M8[%s]" % u))
        define("t" + u, v.view("m8[%s]" % u))
    define("ds", np.where(nat, days, days % 40000 * 86400 + 3661).view("M8[s]"))
    define("ts", np.where(nat, days, days % 40000 * 86400 + 3661).view("m8[s]"))
    define("th", np.where(nat, days, days % 40000 * 24 + 5).view("m8[h]"))
    define("nd", np.datetime64("2020-02-29"))
    define("ndm", np.datetime64("1999-12"))
    define("ndy", np.datetime64("1969"))
    define("nt", np.timedelta64(17, "D"))
    define("nt0", np.timedelta64(0, "D"))
    define("ntm", np.timedelta64(5, "M"))
    define("nty", np.timedelta64(-2, "Y"))
    define("ntw", np.timedelta64(3, "W"))
    define("nnat", np.datetime64("NaT", "D"))


TIMES = "dD dM dY dW ds tD tM tY tW ts th nd ndm ndy nt nt0 ntm nty ntw nnat".split()


def time_cases():
    numbers = ["i4", "i8", "f4", "f8", "b", "pi3", "pi2", "pi0", "pf5", "pf13", "pb1", "nf4_2", "ni8_3"]
    for x, y in itertools.product(TIMES, TIMES + numbers):
        for op in BINARY:
            if op in ("minimum", "maximum") and y in numbers or op in ("power", "nextafter") or op.startswith(("bitwise", "logical")):
                continue
            case(op, function(op), x, y)
            if y in numbers:
                case(op, function(op), y, x)
        if operands_kind(x) == operands_kind(y):
            case("where", np.where, "bp", x, y)
    for x in TIMES:
        for op in UNARY:
            case(op, getattr(np, op), x)
        for u in "Y", "M", "W", "D", "h", "m", "s", "ms":
            kind = operands_kind(x)
            if u in ("h", "m", "s", "ms") or np.datetime_data(np.asarray(operands[x]).dtype)[0] != "generic":
                case("cast:%s8[%s]" % (kind, u), lambda v: v.astype("%s8[%s]" % (kind, u)), x)
        for f in "sum", "min", "max":
            case(f, lambda v: getattr(np, f)(v), x)
    for x, y in itertools.product(["dD", "nd", "dM", "ndm"], ["dD", "nd", "ndy"]):
        for mask in "1111100", "1111111", "0000011", "1000000", "1111110":
            case("busday:" + mask, lambda p, q: np.busday_count(valid(p), valid(q), weekmask=mask), x, y)


def valid(v):
    return np.where(np.isnat(v), np.datetime64("1970-01-01"), v).astype("M8[D]")


def mix(n, seed):
    """splitmix64: the same numbers in any language."""
    z = np.arange(1, n + 1, dtype="u8") * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def uniform(n, seed, scale):
    return ((mix(n, seed) >> np.uint64(11)).astype("f8") * 2.0**-53 - 0.5) * scale


def random_case(op, n, seed, scale, t, f):
    operands["random"] = uniform(n, seed, scale).astype(t)
    operands["random2"] = uniform(n, seed + 1, scale).astype(t)
    names = ["random", "random2"][: f.__code__.co_argcount - len(f.__defaults__ or ())]
    answer = describe(f(*(operands[x] for x in names)))
    if FULL:
        answer = answer[:2000]
    else:
        answer = "%08x" % zlib.crc32(answer.encode())
    print("random", op, n, seed, scale, t, "=", answer)


def random_cases():
    for t in "f4", "f8":
        for d in -2, -1, 0, 1, 2, 3, 4, 6:
            for k, scale in enumerate([1, 2000, 1000000]):
                random_case("round:%d" % d, 200000, 10 * k + d + 100, scale, t, lambda v: np.round(v, d))
        for op in BINARY[:14] + ["minimum", "maximum", "nextafter"]:
            if op not in ("power", "bitwise_and"):
                random_case(op, 20000, 7, 2000, t, lambda a, b, f=getattr(np, op): f(a, b))
        for op in "floor", "ceil", "rint", "sqrt", "square", "absolute":
            random_case(op, 20000, 8, 2000, t, lambda a, f=getattr(np, op): f(a))
        for n in 0, 1, 2, 5, 7, 8, 9, 15, 16, 17, 100, 127, 128, 129, 130, 136, 255, 256, 257, 1000, 1024, 4099, 8191, 8192, 8193, 20011, 100003:
            random_case("sum", n, n, 1000, t, lambda a: np.sum(a))
            random_case("mean", n, n, 1000, t, lambda a: np.mean(a))
            random_case("cumsum", n, n, 1000, t, lambda a: np.cumsum(a))
            if n:
                random_case("bincount", n, n, 1000, t, lambda a: np.bincount(np.arange(len(a)) % 7, weights=a, minlength=7))
                random_case("max", n, n, 1000, t, lambda a: np.max(a))
                random_case("min", n, n, 1000, t, lambda a: np.min(a))
        for rows in 2, 3, 8, 9, 20, 200:
            random_case("sumaxis0:%d" % rows, rows * 11, 3, 1000, t, lambda a: a.reshape(rows, 11).sum(axis=0))
            random_case("sumaxis1:%d" % rows, rows * 11, 3, 1000, t, lambda a: a.reshape(11, rows).sum(axis=1))
        for scale in 1, 1e6, 1e15, 1e18, 1e-3, 1e-6, 1e30:
            random_case("cast:U", 3000, 5, scale, t, lambda a: a.astype(str))
            for to in "i2", "i4", "i8", "f4", "f8", "?":
                random_case("cast:" + to, 3000, 6, scale, t, lambda a: a.astype(to))
        random_case("argsort", 5000, 9, 40, t, lambda a: np.argsort(np.floor(a), kind="stable"))
        random_case("digitize", 5000, 9, 40, t, lambda a: np.digitize(a, np.arange(-10, 10)))
        random_case("digitizeright", 5000, 9, 40, t, lambda a: np.digitize(a, np.arange(-10, 10), right=True))
    for t in "i2", "i4", "i8":
        for op in BINARY[:6] + BINARY[7:18] + ["minimum", "maximum"]:
            random_case(op, 20000, 7, 60000, t, lambda a, b, f=getattr(np, op): f(a, b))
        for d in "M8[D]", "m8[D]":
            for u in "Y", "M", "W", "h":
                random_case("time:%s:%s" % (d, u), 20000, 4, 60000, t, lambda a: a.astype("i8").view(d).astype(d[:2] + "[%s]" % u))
        random_case("unique", 5000, 9, 40, t, lambda a: np.unique(a))
        random_case("sum", 20000, 9, 4000, t, lambda a: np.sum(a))
        random_case("mean", 20000, 9, 4000, t, lambda a: np.mean(a))
    random_case("busday", 20000, 11, 40000, "i8", lambda a, b: np.busday_count(a.view("M8[D]"), b.view("M8[D]")))


def main():
    number_arrays()
    some = scalars()
    time_operands()
    text_operands()
    binary_cases(some)
    unary_cases(some)
    choice_cases(some)
    bound_cases(some, ["b", "i2", "i4", "i8", "f4", "f8"])
    cast_cases(some)
    text_cases()
    time_cases()
    random_cases()
    print("mode weak")
    np._set_promotion_state("weak")
    binary_cases(some)
    bound_cases(some, ["f4", "f8"])


main()
