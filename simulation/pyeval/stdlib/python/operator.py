def add(a, b): return a + b
def sub(a, b): return a - b
def mul(a, b): return a * b
def truediv(a, b): return a / b
def floordiv(a, b): return a // b
def mod(a, b): return a % b
def pow(a, b): return a ** b
def neg(a): return -a
def pos(a): return +a
def inv(a): return ~a
def not_(a): return not a
def and_(a, b): return a & b
def or_(a, b): return a | b
def xor(a, b): return a ^ b
def eq(a, b): return a == b
def ne(a, b): return a != b
def lt(a, b): return a < b
def le(a, b): return a <= b
def gt(a, b): return a > b
def ge(a, b): return a >= b
def contains(a, b): return b in a
def getitem(a, b): return a[b]
def concat(a, b): return a + b
def lshift(a, b): return a << b
def rshift(a, b): return a >> b
def matmul(a, b): return a @ b
def is_(a, b): return a is b
def is_not(a, b): return a is not b
def truth(a): return bool(a)
def index(a): return range(a).stop
def countOf(a, b): return sum(1 for item in a if item is b or item == b)


def indexOf(a, b):
    for i, item in enumerate(a):
        if item is b or item == b:
            return i
    raise ValueError("sequence.index(x): x not in sequence")


def setitem(a, b, c):
    a[b] = c


def delitem(a, b):
    del a[b]


def itemgetter(*keys):
    if len(keys) == 1:
        return lambda value: value[keys[0]]
    return lambda value: tuple(value[key] for key in keys)


def _follow(value, path):
    for name in path.split("."):
        value = getattr(value, name)
    return value


def attrgetter(*paths):
    if len(paths) == 1:
        return lambda value: _follow(value, paths[0])
    return lambda value: tuple(_follow(value, path) for path in paths)


def methodcaller(name, *args, **keywords):
    return lambda value: getattr(value, name)(*args, **keywords)


invert = inv
abs = abs
