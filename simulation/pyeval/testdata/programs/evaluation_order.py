"""Operands, conditions, arguments and attributes are evaluated from left to right, whatever the evaluation of one changes of another."""

def catch(f, *args):
    try:
        return f(*args)
    except Exception as e:
        return type(e).__name__ + ': ' + str(e)

log = []

def say(x):
    log.append(x)
    return x

def said(f, *args):
    log.clear()
    result = catch(f, *args)
    return result, list(log)


# Operands of which a call changes one.

def nonlocals():
    x = 1
    def f(v=10):
        nonlocal x
        x = v
        return v
    a = x + f()
    x = 1
    b = f() + x
    x = 1
    c = x - f() - x
    x = 1
    d = x * f(3) * x * f(4) * x
    x = 1
    e = [x, f(), x], (x, f(7), x), {x: f(8), f(9): x}
    x = 1
    g = f'{x} {f()} {x}'
    x = 1
    h = x < f(5) < x + 1, x == f(6), f(7) == x, x in [f(8)], f(9) in [x], x is f(1000)
    x = 1
    i = -x + f(), not x, x and f(0) or x, f(0) or x or f(5), x
    return a, b, c, d, e, g, h, i
print(nonlocals())

def inner():
    x = 1
    def around():
        def f(v):
            nonlocal x
            x = v
            return v
        y = 2
        a = x + f(5) + x
        b = y * x + f(6) * x
        c = x.real + f(7) + x.real
        d = (x if f(0) or x else 'zero'), (x if f(2) and x else 'zero')
        e = max(x, f(9), x), max(f(1), x), max(x, f(9))
        f(1)
        return a, b, c, d, e, [x, x + 1][x - f(0)], x
    return around()
print(inner())

count = 1

def step(v=10):
    global count
    count = v
    return v

def globals_():
    global count
    a = count + step()
    b = step(3) + count
    count = 1
    c = count + step(5) + count, [count, step(6)], max(count, step(1), count), count
    count += step(7)
    d = count
    return a, b, c, d, (count if step(0) == count else -1)
print(globals_())
print(count + step(4), count, count - step(9) - count, str(count) + str(step(2)) + str(count))


# Attributes and elements that a call changes.

class Box:
    def __init__(self, b):
        self.b = b
    def set(self, b):
        self.b = b
        return b

def attributes():
    a = Box(1)
    one = a.b + a.set(5), a.set(6) + a.b, a.b + a.set(7) + a.b, [a.b, a.set(8), a.b]
    a.b += a.set(3)
    two = a.b
    l = [1, 2]
    def put(v):
        l[0] = v
        return v
    three = l[0] + put(9) + l[0], l[l.pop() - 2], l
    l[0] += put(1)
    return one, two, three, l
print(attributes())

def rebound():
    a = Box(1)
    def other(v):
        nonlocal a
        a = Box(v)
        return v
    return a.b + other(5) + a.b, a.set(other(6)), a.b, (a, other(7))[0].b, a.b, max(a.b, other(1), a.b)
print(rebound())


# What attributes are.

class Watched:
    kind = 'class'
    @property
    def p(self):
        say('p')
        return 1
    def __getattr__(self, name):
        say('getattr ' + name)
        if name == 'missing':
            raise AttributeError('no ' + name)
        return 2
    def __add__(self, other):
        say('add')
        return 3
    def __radd__(self, other):
        say('radd')
        return 4
    def __call__(self, *args):
        say('call')
        return args
    def __bool__(self):
        say('bool')
        return True
    def __eq__(self, other):
        say('eq')
        return self
    def __lt__(self, other):
        say('lt')
        return self
    def __gt__(self, other):
        say('gt')
        return False
    def __contains__(self, x):
        say('contains')
        return x == 1
    def __getitem__(self, key):
        say('getitem')
        return key

w = Watched()
for f in [
    lambda: w.p + w.q + w.p,
    lambda: w.missing + say(1),
    lambda: say(1) + w.missing,
    lambda: w + say(1) + say(2),
    lambda: say(1) + w,
    lambda: w(say(1), w.p)[say(0)],
    lambda: say(1) if w else say(2),
    lambda: not w,
    lambda: w and say(2),
    lambda: w or say(2),
    lambda: (w == say(1)) and say(2),
    lambda: w < say(1) < say(2),
    lambda: w < say(1) > w,
    lambda: say(3) < w < say(1),
    lambda: (say(1) in w, say(2) not in w),
    lambda: w[say(1)],
    lambda: w.p.real + w.q.real,
    lambda: w.q.missing + say(1),
    lambda: say('d').missing(say(1)),
    lambda: say(5)(say(1)),
    lambda: w.unknown(say(1)),
    lambda: undefined(say(1)),
    lambda: say(undefined),
    lambda: say(1) + undefined + say(2),
    lambda: undefined.x + say(1),
    lambda: undefined[say(1)],
    lambda: say(1)[undefined],
    lambda: {say(1): say(2), say(3): say(4)},
    lambda: say('a').join([say('b'), say('c')]),
    lambda: max(say(1), key=say(None), default=say(2)),
    lambda: dict(a=say(1), b=undefined, c=say(2)),
    lambda: print(*[say(1)], sep=say(''), end=undefined),
    lambda: [say(x) + say(y) for x in [say(1), 2] for y in [say(3)] if say(x) < 2],
    lambda: (say(1) if say(0) else say(2)) if say(3) else say(4),
    lambda: say(0) and say(1) or say(2) and say(3),
    lambda: say(1) < say(2) < say(0) < say(5),
    lambda: [10, 20, 30][say(0):say(3):say(2)],
]:
    result, words = said(f)
    print(result if not isinstance(result, Watched) else 'watched', words)

def local_call(x):
    return x(say(1))
print(said(local_call, 5), said(local_call, None), said(local_call, 'text'), said(local_call, [1]))

def local_method(x):
    return x.missing(say(1))
print(said(local_method, 5), said(local_method, None), said(local_method, 'text'), said(local_method, [1]))

def called_path(x):
    return x(say(1)).real.imag
print(said(called_path, 5), said(called_path, None), said(called_path, say))

def called_keyword(x):
    return x(say(1), key=say(2))
print(said(called_keyword, 5), said(called_keyword, None))


# Names without a value.

def deleted(which):
    x, y = 1, 2
    if which == 'x':
        del x
    elif which == 'y':
        del y
    elif which == 'both':
        del x, y
    return x + y, x - say(1), y
for which in ['', 'x', 'y', 'both']:
    print(said(deleted, which))

def deleted_left():
    x = 1
    del x
    return x + say(1)
def deleted_right():
    x = 1
    del x
    return say(1) + x
def deleted_argument():
    x = 1
    del x
    return say(say(1), x)
def deleted_function():
    x = 1
    del x
    return x(say(1))
def deleted_owner():
    x = 1
    del x
    return x.real(say(1))
def deleted_meanwhile():
    x = 1
    def f():
        nonlocal x
        del x
        return 2
    return x + f() + x
def deleted_before():
    x = 1
    def f():
        nonlocal x
        del x
        return say(2)
    return f() + x
def deleted_test():
    x = 1
    del x
    return say(1) if x else say(2)
def deleted_key():
    x = 1
    del x
    return [say(1)][x]
def deleted_condition():
    x = 1
    del x
    if not x or say(1):
        return 1
def deleted_assert():
    x = 1
    del x
    assert x, say(1)
def deleted_keyword():
    x = 1
    del x
    return dict(a=say(1), b=x)
def deleted_attribute():
    b = Box(1)
    del b.b
    return say(1) + b.b
def deleted_global():
    global count
    count = 1
    del count
    try:
        return say(1) + count
    finally:
        count = 1
for f in [deleted_left, deleted_right, deleted_argument, deleted_function, deleted_owner, deleted_meanwhile, deleted_before, deleted_test, deleted_key,
          deleted_condition, deleted_assert, deleted_keyword, deleted_attribute, deleted_global]:
    print(f.__name__, said(f))


# What is returned.

def return_fails():
    try:
        return 1
    finally:
        try:
            return missing
        except NameError:
            pass
    missing = 2
print(return_fails())

def return_free_fails():
    missing = 1
    def f():
        try:
            return 1
        finally:
            try:
                return missing
            except NameError:
                pass
    del missing
    return f()
print(return_free_fails())

def return_fails_in_loop():
    for i in range(3):
        try:
            return i
        finally:
            try:
                return missing
            except NameError:
                continue
    return 'end'
    missing = 2
print(return_fails_in_loop())

def return_and_go_on():
    try:
        return missing
    except NameError:
        pass
    if False:
        missing = 1
print(return_and_go_on())

def return_before_change():
    x = 1
    try:
        return x
    finally:
        x = 2
print(return_before_change())

def return_free_before_change():
    x = 1
    def f():
        nonlocal x
        try:
            return x
        finally:
            x = 2
    return f(), x
print(return_free_before_change())

def return_from_generator():
    x = 1
    def f():
        nonlocal x
        got = yield x
        x = 5
        return x
    def g():
        r = yield from f()
        yield r + x
    return list(g())
print(return_from_generator())

def key_missing(d):
    try:
        return 'returned'
    finally:
        try:
            x = d['missing']
        except KeyError:
            pass
print(key_missing({}))


# Assignments.

def augmented():
    x = 1
    def f(v):
        nonlocal x
        x = v
        return v
    x += f(5)
    a = x
    x -= x + f(2)
    b = x
    y = 1
    y += (y := 5) + y
    l = [1, 2, 3]
    i = 0
    l[i] += (i := 2)
    l[(i := 1)] *= i + 9
    return a, b, x, y, l, i
print(augmented())

def walrus():
    a = (x := 1) + x
    b = x + (x := 5) + x
    c = [x, (x := 6), x], max(x, (x := 7), x), (x, x := 8, x)
    d = x < (x := 9) < x + 1
    e = (x := 0) or x, x and (x := 1), x or (x := 2), x
    f = [(x := v) + x for v in [1, 2]], x
    g = x if (x := 0) else x
    h = -x + (x := 3), {x: (x := 4), 5: x}, f'{x}{(x := 5)}{x}'
    i = [0, 1, 2, 3, 4, 5, 6][(x := 6)], [x, x][(x := 1)], x
    j = (x := Box(1)).b + x.set(5) + x.b + (x := Box(9)).b + x.b
    k = (x := max)(1, (x := 5)), x
    return a, b, c, d, e, f, g, h, i, j, k
print(walrus())

def walrus_of_function(f):
    return f(f := 1, f), f
print(walrus_of_function(lambda *args: args))

def walrus_of_owner(b):
    return b.set(b := 3), b
print(walrus_of_owner(Box(1)))

def walrus_of_key(d, k):
    return d[k], d[(k := 2)], d[k], (d := {2: 'other'})[k], d
print(walrus_of_key({1: 'one', 2: 'two'}, 1))

def order_of_targets():
    a = [0, 0, 0]
    def at(i):
        say('at')
        return i
    def what():
        say('what')
        return 5
    a[at(0)] = what()
    a[at(1)], a[at(2)] = what(), what()
    x = a[at(0)] = what()
    i, a[i] = 2, 'i'
    return a, x
print(said(order_of_targets))

def swapped():
    x, y = 1, 2
    x, y = y, x + y
    l = [1, 2]
    l[0], l[1] = l[1], l[0]
    return x, y, l
print(swapped())


# Arguments.

def arguments():
    x = 1
    def g(v=5):
        nonlocal x
        x = v
        return v
    def f(*args, **kws):
        return args, kws
    def two(a, b):
        return a, b
    a = f(x, g(), x), f(x, k=g(6), l=x), f(*[x, g(7)], x), f(*[x], **{'k': g(8), 'l': x}), two(x, g(9)), two(g(10), x)
    b = two(b=x, a=g(11)), two(x, b=g(12)), [x].index(12), 'abc'.find('c', x - 12, g(13) - x + 3)
    def other(*args):
        return 'other', args
    def change():
        nonlocal two
        two = other
        return 1
    return a, b, two(change(), x), two(x, 2)
print(arguments())

def method_changed():
    class A:
        def m(self, *args):
            return 'first', args
    a = A()
    def change():
        a.m = lambda *args: ('second', args)
        return 1
    return a.m(change()), a.m(change())
print(method_changed())

def defaults():
    x = 1
    def g():
        nonlocal x
        x = x + 1
        return x
    def f(a=x, b=g(), c=x):
        return a, b, c
    x = 10
    return f(), f(g()), f(x, c=g())
print(defaults())


# Generators, comprehensions and closures.

def generators():
    x = 1
    def f(v):
        nonlocal x
        x = v
        return v
    def numbers():
        yield x + f(5)
        yield x
        y = (yield x) or x
        yield y + x
    g = numbers()
    a = next(g), x, f(6) + next(g), x + next(g), g.send(None), x
    b = [x + f(i) for i in range(3)], x, sum(x * f(i) for i in [1, 2, 3]), x
    c = [lambda: i + x for i in range(2)]
    d = [h() + f(10) for h in c]
    return a, b, d, {k: x for k in [x, f(3), x]}, sorted([3, 1, 2], key=lambda v: v * f(-1) * x)
print(generators())

def conditions(x):
    def f(v):
        nonlocal x
        x = v
        return v
    out = []
    if x:
        out.append('x')
    if not x or f(0):
        out.append('not x or f')
    if x and f(1):
        out.append('x and f')
    while not f(3) == 2 and x > 1:
        out.append(x)
        if x and f(1) and not x == 3:
            break
    else:
        out.append('else')
    assert x and not f(0) and not x, 'assertion'
    return out, x, (x or f(2)) and x, not x, x if x and not f(4) else x
print(conditions(1), conditions(0), conditions([]))

def chains(x):
    def f(v):
        nonlocal x
        x = v
        return v
    return 0 < x < f(5) < x + 1 <= f(6) == x != f(7), x, x is x is not f(None) is x, 1 in [x, 1] in [[x, f(1)]], x
print(chains(1), chains(9))

def truth(x):
    class Wrong:
        def __bool__(self):
            raise ValueError('no truth')
    x = Wrong()
    if x:
        return 1
print(said(truth, 1))

class Body:
    x = 1
    y = x + (x := 5) + x
    z = [x, y]
    def set(v):
        return v
    w = x + set(2)
    del x
    v = catch(lambda: x)
print(Body.y, Body.z, Body.w, Body.v[:31])
