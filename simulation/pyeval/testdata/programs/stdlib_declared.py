# decimal, dataclasses, contextlib, typing.NamedTuple, classes derived from dict and set.
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from typing import NamedTuple

for a, b in [("1", "3"), ("2.50", "0.5"), ("-7.125", "2"), ("100", "8"), ("0.1", "0.2"), ("123456789.123456789", "987.654321"), ("1E+3", "7"), ("-793.0", "-86.595544")]:
    x, y = Decimal(a), Decimal(b)
    print(x + y, x - y, x * y, x / y, -x, abs(x), float(x), int(x), x < y, x == y)
for text in ["2.345", "-2.345", "2.355", "0.0005", "1234.5"]:
    d = Decimal(text)
    print(d.quantize(Decimal("0.01")), d.quantize(Decimal("0.01"), ROUND_HALF_UP), d.quantize(Decimal("0.1"), rounding=ROUND_CEILING), d.to_integral_value(ROUND_FLOOR), d.quantize(Decimal("1"), ROUND_DOWN))
print(Decimal(0.1), Decimal(5), repr(Decimal("1.10")), Decimal("1.0") == 1, Decimal("0.1") == 0.1, Decimal("1.50").normalize())
print(round(Decimal("2.5")), round(Decimal("2.675"), 2), sum([Decimal("0.1")] * 3))


@dataclass
class Base:
    name: str
    parts: list = field(default_factory=list)


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 2

    def __post_init__(self):
        if self.x < 0:
            raise ValueError("x")


@dataclass
class Derived(Base):
    size: int = 3


p = Point(1)
print(p, replace(p, y=5), p == Point(1, 2), len({p, Point(1), Point(2)}), [f.name for f in fields(p)])
d = Derived("n")
d.parts.append(1)
print(d, Derived("n").parts, asdict(d))
for wrong in [lambda: Point(), lambda: Point(1, z=3), lambda: Point(-1)]:
    try:
        print(wrong())
    except (TypeError, ValueError) as e:
        print(type(e).__name__)
try:
    p.x = 3
except FrozenInstanceError as e:
    print(e)


@contextmanager
def noted(log):
    log.append("in")
    try:
        yield "value"
    except KeyError:
        log.append("caught")
    finally:
        log.append("out")


log = []
with noted(log) as v:
    log.append(v)
with noted(log):
    raise KeyError("k")
try:
    with noted(log):
        raise ValueError("passes")
except ValueError as e:
    log.append(str(e))
with nullcontext(5) as five, suppress(ZeroDivisionError):
    log.append(five)
    1 / 0
print(log)


class Named(NamedTuple):
    label: str
    count: int = 4


n = Named("a")
label, count = n
print(n, n[0], label, count, n == ("a", 4), n._replace(count=5))


class Hiding(dict):
    def items(self):
        return [(k, v) for k, v in super().items() if k != "hidden"]


h = Hiding({"hidden": 1, "seen": 2})
print(h.items(), h["hidden"], "hidden" in h, len(h), isinstance(h, dict), h.get("none", 0))


class Counting(set):
    def add(self, item):
        super().add(item)
        print("added", item)


c = Counting([1])
c.add(2)
print(len(c), 2 in c, isinstance(c, set))
