# Classes that are tuples: named ones, and those that derive from tuple.
from collections import namedtuple
from typing import NamedTuple
P = namedtuple("P", "x y")
p = P(1, 2)
print(isinstance(p, tuple), issubclass(P, tuple), p == (1, 2), (1, 2) == p, p + (3,), len(p), p[0], list(p), {p: 1}[P(1, 2)])
print(p._replace(x=5), p._asdict(), P._fields, P._make([7, 8]), p < (1, 3), sorted([P(2, 1), P(1, 5)]))
class Q(NamedTuple):
    a: int
    b: float = 2.5
q = Q(1)
print(q, isinstance(q, tuple), q.a, q[1], q == (1, 2.5), Q._field_defaults)
a, b = q
print(a, b, "%s-%s" % p, p.index(2), p.count(1), p[::-1])
class Pair(tuple):
    def total(self):
        return sum(self)
t = Pair([3, 4])
print(t, t.total(), isinstance(t, tuple), t == (3, 4), t[1:], t + (1,), {t: 2}[t], len(t), 3 in t, t < (3, 5), type(t).__name__)
print("%d and %d" % (3, 4), max(P(1, 2), P(1, 3)), P(1, 2) != (1, 2), P(1, 2) == [1, 2], dict([P("k", "v")]))
