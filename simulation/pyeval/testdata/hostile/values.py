# Arguments that mean no good: huge, deep, holding themselves, empty, wrong. Every name here is one.
import copy
import functools
import math
import types

import numpy as np

DEPTH = 20_000

number = 7
minus = -10 ** 10
many = 10 ** 10
overflow = 2 ** 63
beyond = 10 ** 400
infinite = float('inf')
undefined = float('nan')
fraction = 1e300
yes = True
nothing = None

text = 'a' * 2 ** 21
digits = '9' * 10 ** 6
lines = 'a\n' * 10 ** 5
tabs = '\t' * 10 ** 5
empty_text = ''
short_text = 'abc'
braces = '{' * 10_000
field = '{:>10000000}'
percents = '%10000000d'
pattern = '(a*)*b|' * 200
octets = b'a' * 2 ** 21
empty_octets = b''

numbers = [0] * 10 ** 5
texts = ['a' * 1000] * 10 ** 4
empty_list = []
empty_tuple = ()
empty_dict = {}
empty_set = set()
table = {i: i for i in range(10_000)}
span = range(10 ** 12)
piece = slice(None, None, -1)

array = np.arange(10 ** 5)
column = np.ones((2000, 1))
row = np.ones((1, 2000))
flags = array > 5
names = np.array(['abc'] * 1000)
objects = np.array([None] * 1000, dtype=object)
empty_array = np.array([])
wide = np.full(10 ** 6, 'a' * 1000)


def endless():
    while True:
        yield 0


def itself(*args, **kwargs):
    return itself(*args, **kwargs)


def counted():
    return (x for x in range(10 ** 9))


deep_list = []
deep_tuple = ()
deep_dict = {}
deep_iterator = iter([1, 2])
deep_generator = iter([1, 2])
deep_call = len
deep_cache = len
deep_error = ValueError()
deep_set = frozenset()
deep_static = len
for i in range(DEPTH):
    deep_list = [deep_list]
    deep_tuple = (deep_tuple,)
    deep_dict = {0: deep_dict}
    deep_iterator = map(abs, deep_iterator)
    deep_generator = (x for x in deep_generator)
    deep_call = functools.partial(deep_call)
    deep_cache = functools.cache(deep_cache)
    deep_error = ValueError(deep_error)
    deep_static = staticmethod(deep_static)
for i in range(100):
    deep_set = frozenset([deep_set])

wide_tuple = (1,)
wide_list = [1]
for i in range(36):
    wide_tuple = (wide_tuple, wide_tuple)
    wide_list = [wide_list, wide_list]

own_list = []
own_list.append(own_list)
own_dict = {}
own_dict['x'] = own_dict
own_array = np.array([own_list, own_dict], dtype=object)


class Mirror:
    """An object whose special methods are the built-in functions that ask for them."""
    __repr__ = repr
    __str__ = str
    __getattr__ = getattr
    __iter__ = iter
    __next__ = next
    __len__ = len
    __hash__ = hash
    __bool__ = bool
    __int__ = int
    __index__ = int
    __float__ = float
    __abs__ = abs
    __round__ = round
    __format__ = format
    __call__ = len
    __trunc__ = math.trunc
    __copy__ = copy.copy
    __deepcopy__ = copy.deepcopy
    __reversed__ = reversed
    __contains__ = min
    __eq__ = max
    __lt__ = max
    __add__ = sum
    __mul__ = max


class Loop:
    """An object that answers everything with itself."""

    def __getattr__(self, name):
        return self

    def __call__(self, *args, **kwargs):
        return self

    def __iter__(self):
        return self

    def __next__(self):
        return self

    def __getitem__(self, key):
        return self

    def __len__(self):
        return 10 ** 10

    def __index__(self):
        return 10 ** 10

    def __hash__(self):
        return 1

    def __eq__(self, other):
        return True

    def __add__(self, other):
        return self

    __radd__ = __mul__ = __rmul__ = __add__


class Calls:
    pass


Calls.__call__ = Calls()

mirror = Mirror()
loop = Loop()
calls = Calls()
sequence = endless()
plain = object()
kind = Mirror
method = text.join
