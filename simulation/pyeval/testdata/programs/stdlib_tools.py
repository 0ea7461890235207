# functools, itertools, collections, operator, copy, math, re, fractions and their like.
from __future__ import annotations

import collections
import configparser
import copy
import functools
import itertools
import logging
import math
import operator
import re
import string
import textwrap
import typing
import warnings
from collections import Counter, OrderedDict, defaultdict, namedtuple
from fractions import Fraction
from functools import cache, lru_cache, partial, reduce, wraps
from typing import Any, Dict, List, Optional, Union

calls = []


@cache
def square(x):
    calls.append(x)
    return x * x


@lru_cache(maxsize=None)
def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def traced(f):
    @wraps(f)
    def inner(*args, **kwargs):
        return f(*args, **kwargs) + 1
    return inner


@traced
def five() -> Optional[int]:
    return 5


print(square(3), square(3), square(4), calls, fib(60), five())
print(reduce(operator.add, [1, 2, 3]), reduce(lambda a, b: a * b, [2, 3], 10), partial(pow, 2)(5), partial(sorted, reverse=True)([1, 3, 2]), partial(int, base=2)("101"))
print(list(itertools.chain([1], (2, 3))), list(itertools.chain.from_iterable([[1], [2]])), list(itertools.product("ab", [1, 2])), list(itertools.combinations([1, 2, 3], 2)))
print(list(itertools.permutations([1, 2, 3], 2)), list(itertools.accumulate([1, 2, 3])), list(itertools.islice(itertools.count(5), 3)), [(k, list(g)) for k, g in itertools.groupby([1, 1, 2])], list(itertools.zip_longest([1], [2, 3])), list(itertools.repeat(1, 2)))
d = defaultdict(list)
d["a"].append(1)
d["a"].append(2)
print(d["a"], dict(d), "b" in d, len(d), sorted(d.items()))
c = Counter("abca")
print(c["a"], c["z"], c.most_common(1), OrderedDict([("x", 1), ("y", 2)])["y"])
Point = namedtuple("Point", "x y")
q = Point(1, y=2)
x, y = q
print(q, q.x, q[1], x + y, q == (1, 2), q._replace(x=5), Point._fields)
nested = {"a": [1, [2, 3]], "b": (4, [5])}
deep, shallow = copy.deepcopy(nested), copy.copy(nested)
nested["a"][1].append(9)
print(deep, shallow["a"], deep is nested)
print(math.floor(-2.5), math.ceil(2.1), math.trunc(-2.7), math.sqrt(16), math.gcd(12, 18), math.isnan(math.nan), math.pi, math.inf, math.fsum([0.1] * 10), math.prod([2, 3, 4]), math.isclose(0.1 + 0.2, 0.3), math.factorial(20), math.log(8, 2), math.comb(5, 2))
m = re.search(r"(\d{4})-(\d{2})", "on 2020-03-05")
print(m.group(0), m.group(1), m.groups(), m.start(), bool(re.match(r"a", "ba")), re.sub(r"(\w)\d", r"<\1>", "a1 b2"), re.findall(r"\d+", "1 22 x3"), re.split(r",\s*", "a, b,c"), re.compile("x(?P<n>.)").match("xy").group("n"), re.fullmatch("a|ab", "ab") is not None)
print(Fraction(1, 3) + Fraction(1, 6), Fraction("0.25"), Fraction(3, 6) * 2, float(Fraction(1, 4)), Fraction(7, 2) // 1, round(Fraction(7, 2)), Fraction(1, 3) < 0.5, repr(Fraction(2, 4)), 1 - Fraction(1, 3))
print(operator.itemgetter(1)([5, 6]), operator.attrgetter("x")(q), operator.mul(3, 4), string.ascii_lowercase[:3], textwrap.dedent("  a\n    b\n"))
log = logging.getLogger(__name__)
log.debug("nothing %s", 1)
log.setLevel(logging.INFO)
warnings.warn("nothing")
config = configparser.ConfigParser()
config.read_string("[a]\nx = 1\ny: two\n\n[b]\nflag = yes\n")
print(config.sections(), config["a"]["x"], config.get("a", "y"), config.getint("a", "x"), config.getboolean("b", "flag"))
print(copy.deepcopy([1, "a", None, 2.5]), typing.cast(int, 3), collections.deque([1, 2], maxlen=2)[0], functools.reduce(max, [3, 9, 2]))
print(Fraction.from_float(0.5), Fraction.from_float(3), Fraction(0.1).limit_denominator(), Fraction(1, 3).limit_denominator(2), Fraction(7, 2).as_integer_ratio(), Fraction("1e-2"), Fraction(3, 4).real, 7 // Fraction(1, 2), 7 % Fraction(5, 2), 2 ** Fraction(2), divmod(Fraction(7, 2), 2))

import sys
print(sys.stderr.write("no matter\n"), sys.stdout.isatty(), sys.stderr.flush())

from decimal import Decimal
from fractions import Fraction

for text in ("0", "1.50", "-2.5", "12E3", "-0.125", "1E-30"):
    d = Decimal(text)
    print(d, d.is_finite(), d.is_infinite(), d.is_nan(), d.is_zero(), d.is_signed(), d.copy_abs(), d.as_integer_ratio(), Fraction(d))
dimes = Fraction(Decimal("1234.56")) * 10
print(dimes, Decimal(dimes.numerator // dimes.denominator) / 10, Fraction(2.5), Fraction(3))

from decimal import ROUND_CEILING, ROUND_DOWN, Context, getcontext, localcontext


def third(prec, rounding=None):
    with localcontext() as context:
        context.prec = prec
        if rounding:
            context.rounding = rounding
        return Decimal(1) / Decimal(3), Decimal("2.675").quantize(Decimal("0.01")), Decimal("12345678") + Decimal("0.5")


print(third(50), third(5, ROUND_CEILING), third(6, ROUND_DOWN), Decimal(1) / Decimal(3))
with localcontext(Context(prec=4)) as outer:
    print(Decimal(2) / 3, outer.prec, getcontext().prec)
    with localcontext(prec=3):
        print(Decimal(2) / 3, getcontext().prec)
    print(Decimal(2) / 3)
getcontext().prec = 6
print(Decimal(1) / 7, getcontext().prec, getcontext().rounding)
getcontext().prec = 28
