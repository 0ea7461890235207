# All of module math, and float.hex.
import math


def told(name, *args):
    try:
        v = getattr(math, name)(*args)
    except (ValueError, OverflowError, TypeError) as e:
        return f"{type(e).__name__}: {e}"
    return f"{v:.12g}" if isinstance(v, float) else repr(v)


print([n for n in dir(math) if not n.startswith("_")])
numbers = [0.0, -0.0, 0.5, -0.5, 1, -1, 1.5, -2, 2.5, 10, 100, 171, 172.5, 709, 710, 1e-310, 1e15, 1e300, -1e300, float("inf"), float("-inf"), float("nan")]
plain = "acos acosh asin asinh atan atanh cbrt cos cosh degrees erf erfc exp exp2 expm1 fabs gamma lgamma log log10 log1p log2 radians sin sinh sqrt tan tanh ulp frexp modf".split()
for name in plain:
    print(name, [told(name, x) for x in numbers if not (name in ("cos", "sin", "tan") and abs(x) > 1e6 and abs(x) < 1e301) and not (name in ("log", "log10", "log2", "lgamma") and 0 < x < 1e-300)])
for name in "atan2 copysign fmod hypot nextafter pow remainder".split():
    print(name, [told(name, x, y) for x in (0.0, -0.0, 3, -3.5, 1e300, float("inf"), float("nan")) for y in (0.0, 2, -2.0, 0.3, 300, float("-inf"), float("nan")) if not (name == "pow" and x == 3 and y == 0.3)])
print(told("hypot"), told("hypot", 3, 4, 12), told("hypot", 1e200, 1e200), told("hypot", 1e308, 1.7e308), told("hypot", -2), told("dist", (1, 2, 3), [4, 6, 3]), told("dist", (1,), (1, 2)), told("dist", (), ()))
print(told("isqrt", 10**40 + 7), told("isqrt", 0), told("isqrt", -1), told("isqrt", 2.5), told("lcm", 4, 6, -10), told("lcm"), told("lcm", 4, 0), told("lcm", 1.5), told("gcd", 12, -18))
print(told("perm", 5), told("perm", 5, 2), told("perm", 5, 6), told("perm", -1), told("perm", 5, -1), told("ldexp", 0.75, 4), told("ldexp", 1, 5000), told("ldexp", 1, -5000), told("ldexp", 0.0, 10**6), told("ldexp", float("inf"), 3))
print([x.hex() for x in (0.0, -0.0, 1.0, -0.1, 3.5, 1e-310, 5e-324, 1.7976931348623157e308, float("inf"), float("-inf"), float("nan"), 1 / 3)])
print(told("acos", "x"), told("sin", None))
