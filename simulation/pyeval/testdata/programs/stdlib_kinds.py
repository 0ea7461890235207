# What counts as a number, a sequence, a mapping and the like.
import collections.abc as abc
import numbers
import typing
from collections import OrderedDict, defaultdict, namedtuple
from decimal import Decimal
from fractions import Fraction

import numpy as np

things = {
    "int": 1, "bool": True, "float": 1.5, "text": "a", "bytes": b"a", "none": None, "list": [], "tuple": (), "dict": {}, "set": set(), "frozenset": frozenset(), "range": range(2),
    "keys": {}.keys(), "generator": (x for x in ()), "iterator": iter([]), "function": len, "lambda": lambda: 0, "class": int, "array": np.array([1.0]), "int64": np.int64(1),
    "float32": np.float32(1), "Decimal": Decimal(1), "Fraction": Fraction(1, 2), "named": namedtuple("P", "x")(1), "ordered": OrderedDict(), "default": defaultdict(int),
}
for kind in (numbers.Number, numbers.Real, numbers.Rational, numbers.Integral, abc.Iterable, abc.Iterator, abc.Sized, abc.Container, abc.Collection, abc.Sequence, abc.MutableSequence,
             abc.Mapping, abc.MutableMapping, abc.Set, abc.Callable, abc.Generator, typing.Mapping, typing.Sequence, typing.Iterable, typing.Callable, typing.Dict, typing.List, typing.Tuple):
    print([name for name, thing in things.items() if isinstance(thing, kind)])


class Ring:
    def __iter__(self):
        return iter([1, 2])

    def __len__(self):
        return 2

    def __call__(self):
        return 3


print([isinstance(Ring(), kind) for kind in (abc.Iterable, abc.Sized, abc.Callable, abc.Mapping, abc.Sequence, abc.Iterator)])


class Squares(abc.Mapping):
    def __getitem__(self, key):
        if key > 3:
            raise KeyError(key)
        return key * key

    def __iter__(self):
        return iter([1, 2, 3])

    def __len__(self):
        return 3


s = Squares()
print(isinstance(s, abc.Mapping), isinstance(s, typing.Mapping), 2 in s, 9 in s, s.get(3), s.get(8, "none"), list(s.items()), list(s.values()), dict(s), issubclass(dict, abc.Mapping), issubclass(int, numbers.Integral))


class Boxed:
    def __class_getitem__(cls, key):
        return (cls.__name__, key)


print(Boxed[int] == ("Boxed", int), abc.Mapping[str, int] is not None, typing.Callable[[int], float] is not None, typing.Dict[str, typing.List[int]] is not None)
