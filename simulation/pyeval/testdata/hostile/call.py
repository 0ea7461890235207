# The one place from which hostile calls are made: an error must name it.


def call(function, args, named={}):
    made[0] = result = function(*args, **named)
    try:
        for n, x in enumerate(result):
            if n > 2:
                break
    except Exception:
        pass
    return repr(result)


made = [None]  # what the last call made


def operate(operator, a, b):
    return operator(a, b)


def add(a, b): return a + b
def sub(a, b): return a - b
def mul(a, b): return a * b
def div(a, b): return a / b
def floor(a, b): return a // b
def mod(a, b): return a % b
def power(a, b): return a ** b
def matmul(a, b): return a @ b
def left(a, b): return a << b
def right(a, b): return a >> b
def both(a, b): return a & b
def either(a, b): return a | b
def one(a, b): return a ^ b
def equal(a, b): return a == b
def differs(a, b): return a != b
def less(a, b): return a < b
def atmost(a, b): return a <= b
def within(a, b): return a in b
def same(a, b): return a is b
def item(a, b): return a[b]
def part(a, b): return a[b:]
def negative(a, b): return -a
def inverted(a, b): return ~a
def truth(a, b): return not a
def spread(a, b): return [*a, *b]
def merged(a, b): return {**a, **b}
def called(a, b): return a(*b)
def named(a, b): return a(**b)
def shown(a, b): return f'{a}{b!r}{a:>10}'
def formatted(a, b): return f'{a:{b}}'
def listed(a, b): return [x for x in a]
def keyed(a, b): return {x: b for x in a}
def unpacked(a, b):
    x, *y = a
    return y
def attribute(a, b):
    return a.anything
def raised(a, b):
    try:
        raise a
    except b:
        pass
def added(a, b):
    a += b
    return a
def stored(a, b):
    a[b] = a
    return a
def subclass(a, b):
    return type('C', a, b)
def derived(a, b):
    class C(a):
        pass
    return C()
def within_with(a, b):
    with a:
        return b
def inside(a, b):
    for x in a:
        return x
