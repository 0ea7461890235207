# Sums are exact and rounded once, as in CPython.
import math
from collections import Counter
from decimal import Decimal
from fractions import Fraction


class StatisticsError(ValueError):
    pass


def _exact(values):
    # The values as fractions, and what a result is made.
    kind, exact = int, []
    for value in values:
        if isinstance(value, Decimal):
            kind = Decimal
        elif isinstance(value, Fraction):
            kind = kind if kind is Decimal or kind is float else Fraction
        elif isinstance(value, float) or hasattr(value, "dtype"):
            kind, value = float, float(value)
        exact.append(Fraction(value))
    return kind, exact


def _made(kind, value):
    if kind is Decimal:
        return Decimal(value.numerator) / value.denominator
    if kind is int:
        return value.numerator if value.denominator == 1 else value.numerator / value.denominator
    return value if kind is Fraction else value.numerator / value.denominator


def _data(data, name, least=1):
    values = list(data)
    if len(values) < least:
        what = "at least one data point" if least == 1 else "at least two data points"
        raise StatisticsError(f"{name} requires {what}")
    return values


def _odd(values):
    return [v for v in values if isinstance(v, float) and v - v != 0]


def mean(data):
    values = _data(data, "mean")
    if _odd(values):
        return sum(values) / len(values)
    kind, exact = _exact(values)
    return _made(kind, sum(exact) / len(exact))


def fmean(data, weights=None):
    values = [float(v) for v in data]
    if not values:
        raise StatisticsError("fmean requires at least one data point")
    if weights is None:
        return math.fsum(values) / len(values)
    weights = [float(w) for w in weights]
    if len(weights) != len(values):
        raise StatisticsError("data and weights must be the same length")
    whole = math.fsum(weights)
    if not whole:
        raise StatisticsError("sum of weights must be non-zero")
    return math.fsum(v * w for v, w in zip(values, weights)) / whole


def geometric_mean(data):
    values = [float(v) for v in data]
    if not values or min(values) <= 0:
        raise StatisticsError("geometric mean requires a non-empty dataset containing positive numbers")
    return math.exp(fmean([math.log(v) for v in values]))


def harmonic_mean(data, weights=None):
    values = _data(data, "harmonic_mean")
    if any(v < 0 for v in values):
        raise StatisticsError("harmonic mean does not support negative values")
    weights = [1] * len(values) if weights is None else list(weights)
    if len(weights) != len(values):
        raise StatisticsError("Number of weights does not match data size")
    if any(v == 0 for v in values):
        return 0
    kind, exact = _exact(values)
    _, shares = _exact(weights)
    return _made(float if kind is int else kind, sum(shares) / sum(w / v for v, w in zip(exact, shares)))


def _sorted(data):
    values = sorted(data)
    if not values:
        raise StatisticsError("no median for empty data")
    return values


def median(data):
    values = _sorted(data)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def median_low(data):
    values = _sorted(data)
    return values[(len(values) - 1) // 2]


def median_high(data):
    values = _sorted(data)
    return values[len(values) // 2]


def mode(data):
    values = list(data)
    if not values:
        raise StatisticsError("no mode for empty data")
    return Counter(values).most_common(1)[0][0]


def multimode(data):
    counts = Counter(data)
    most = max(counts.values(), default=0)
    return [value for value, n in counts.items() if n == most]


def _squares(data, center, name, least):
    values = _data(data, name, least)
    kind, exact = _exact(values)
    center = sum(exact) / len(exact) if center is None else Fraction(center)
    return kind, sum((v - center) ** 2 for v in exact), len(exact)


def variance(data, xbar=None):
    kind, squares, n = _squares(data, xbar, "variance", 2)
    return _made(kind, squares / (n - 1))


def pvariance(data, mu=None):
    kind, squares, n = _squares(data, mu, "pvariance", 1)
    return _made(kind, squares / n)


def _root(kind, value):
    if kind is Decimal:
        return _made(kind, value).sqrt()
    # The square root of a fraction, rounded once: enough whole bits of it, the last of which says that there is more.
    if value == 0:
        return 0.0
    shift = max(0, 128 - (value.numerator.bit_length() - value.denominator.bit_length()))
    shift += shift % 2
    scaled = (value.numerator << shift) // value.denominator
    root = math.isqrt(scaled)
    return math.ldexp(float((root << 1) | (root * root != scaled or scaled * value.denominator != value.numerator << shift)), -shift // 2 - 1)


def stdev(data, xbar=None):
    kind, squares, n = _squares(data, xbar, "stdev", 2)
    return _root(kind, squares / (n - 1))


def pstdev(data, mu=None):
    kind, squares, n = _squares(data, mu, "pstdev", 1)
    return _root(kind, squares / n)


def quantiles(data, *, n=4, method="exclusive"):
    if n < 1:
        raise StatisticsError("n must be at least 1")
    values = sorted(data)
    if len(values) < 2:
        raise StatisticsError("must have at least two data points")
    if method not in ("inclusive", "exclusive"):
        raise ValueError(f"Unknown method: {method!r}")
    steps = len(values) - 1 if method == "inclusive" else len(values) + 1
    found = []
    for i in range(1, n):
        if method == "inclusive":
            j, rest = divmod(i * steps, n)
            low, high = values[j], values[min(j + 1, len(values) - 1)]
        else:
            j = min(max(i * steps // n, 1), len(values) - 1)
            rest = i * steps - j * n
            low, high = values[j - 1], values[j]
        found.append((low * (n - rest) + high * rest) / n)
    return found
