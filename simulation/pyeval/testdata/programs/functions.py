# Functions, closures, generators, decorators.
def f(a, b=2, *args, c, d=4, **kw):
    return a, b, args, c, d, kw

print(f(1, c=3), f(1, 2, 3, 4, c=5, e=6), f(*[1, 2], **{'c': 3, 'x': 4}))


def counter():
    n = 0

    def inc(by=1):
        nonlocal n
        n += by
        return n
    return inc


c1, c2 = counter(), counter()
print(c1(), c1(5), c2(), c1())


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(15))


def gen(n):
    for i in range(n):
        got = yield i
        if got:
            print('got', got)
    return 'done'


print(list(gen(3)), sum(gen(4)), [x for x in gen(2)])
g = gen(3)
print(next(g), g.send('hello'), next(g), next(g, 'end'))


def outer():
    r = yield from gen(2)
    print('inner returned', r)
    yield 'last'


print(list(outer()))
it = gen(5)
for v in it:
    if v == 1:
        break
print('continued', list(it))


def closing():
    try:
        yield 1
        yield 2
    finally:
        print('closed')


h = closing()
print(next(h))
h.close()
for v in closing():
    print(v)
    break
fs = [lambda: i for i in range(3)]
print([f() for f in fs])
fs = [lambda i=i: i for i in range(3)]
print([f() for f in fs])


def deco(tag):
    def wrap(fn):
        def inner(*args, **kw):
            return (tag, fn(*args, **kw))
        return inner
    return wrap


@deco('a')
@deco('b')
def plain(x):
    """Doc."""
    return x * 2


print(plain(21))


def defaults(a=[]):
    a.append(1)
    return a


print(defaults(), defaults())
total = 0


def add(n):
    global total
    total += n


add(3)
add(4)
print(total, 'total' in globals(), globals()['total'])
try:
    f()
except TypeError as e:
    print(e)
try:
    f(1, 2, c=3, a=4)
except TypeError as e:
    print(e)
try:
    plain2()
except NameError as e:
    print('NameError')


def local():
    try:
        print(later)
    except UnboundLocalError:
        print('unbound')
    later = 1


local()
print([[j for j in range(i)] for i in range(4)], [y for x in [[1, 2], [3]] for y in x])
print({**{'a': 1}, 'b': 2}, [*range(3), *'ab'], (*[1], 2))
print((lambda *a: sum(a))(*range(5)), list(map(lambda x, y: x + y, [1, 2], [10, 20])))
x = 'module'


def shadow():
    x = 'local'
    return [x for x in range(2)], x


print(shadow(), x)
print(any(v > 2 for v in gen(10)), all(v < 2 for v in gen(10)), max(gen(4)), tuple(gen(2)), set(gen(2)), '-'.join(str(v) for v in gen(3)))


def pair(a, b):
    return (a, b)


def nested_yields():
    x = pair(1, (yield 'first'))
    y = pair((yield x), pair((yield 'third'), 3))
    yield y


def consume_some():
    for v in nested_yields():
        if v == 'third':
            return v


print(list(nested_yields()), consume_some(), consume_some())
g = nested_yields()
print(next(g), g.send('a'), g.send('b'), g.send('c'))
h, k = nested_yields(), nested_yields()
print(next(h), next(k), pair(h.send(1), k.send(2)), h.send(3), k.send(4), h.send(5), k.send(6))


def tree(n):
    if n > 0:
        yield from tree(n - 1)
        yield n
        yield from tree(n - 1)


print(list(tree(3)), sum(tree(5)))
it = tree(3)
print([next(it) for _ in range(4)], list(it))


def thrower():
    while True:
        try:
            yield 'waiting'
        except ValueError as e:
            yield f'caught {e}'


t = thrower()
print(next(t), t.throw(ValueError('x')), next(t))
print(list(zip(tree(2), tree(3))), dict(zip('abc', tree(2))), list(map(lambda v: v * 2, tree(2))))
