# Exceptions that are made and not raised, and look-ups that fail inside of a try.


class Loud:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        print('str of', self.name)
        return self.name

    def __format__(self, spec):
        print('format of', self.name, spec)
        return self.name


def said(x):
    print('said', x)
    return x


def drop():
    KeyError(f'{said("a")} and {Loud("b")} and {Loud("c")!s} and {Loud("d"):>3}')
    ValueError(said('e'), said('f'))
    KeyError()
    Exception(said(1), *[said(2)])
    try:
        KeyError(f'{missing}')
    except NameError as e:
        print(e)


drop()


def shadowed():
    def KeyError(text):
        print('not an exception:', text)

    KeyError(f'{1 + 1}')


shadowed()


class Own(Exception):
    def __init__(self, text):
        print('made', text)


def own():
    Own('x')


own()


class Node:
    def __getitem__(self, key):
        if key == 'known':
            return 1
        raise KeyError(key)


def look(where, key):
    try:
        found = where[key]
    except (KeyError, IndexError) as e:
        return 'no', type(e).__name__, str(e)
    except TypeError as e:
        return 'never', type(e).__name__
    else:
        return 'yes', found


for where in ({'known': 1}, Node(), [1, 2], (3,), 'text', None):
    for key in ('known', 'unknown', 0, 7):
        print(look(where, key))


def cells(a, b=2, *rest, c=3):
    d = 4

    def inner():
        nonlocal a, d
        a += 1
        d += a + b + c + len(rest)
        return a, d

    return inner


one, other = cells(1), cells(10, 20, 30, c=40)
print(one(), other(), one(), other())


def same(x, y):
    return x == y, x != y, x < y, 'a' == x, x == None


print(same('a', 'b'), same('a', 'a'), same('', 'a'))
print('a' == 1, 1 == 'a', 'a' != b'a')


def pairs(n):
    for i in range(n):
        try:
            x = [0, 10][i]
        except IndexError:
            yield 'end'
            return
        yield x


print(list(pairs(5)), sum(x for x in pairs(2)), next(pairs(1)))


def named(a, b=2, c=3, d=4):
    return a, b, c, d


def renamed(c, b=20, a=30):
    return a, b, c


def wrong(f):
    try:
        return f()
    except TypeError as e:
        return str(e)


for f in (named, renamed, lambda a=5, c=6: (a, c)):
    print(f(a=said(7), c=said(8)))
print(named(1, d=5), named(d=1, a=2), named(1, c=0, b=9))
print(wrong(lambda: named(b=1)))
print(wrong(lambda: named(1, a=2)))
print(wrong(lambda: renamed(1, a=2)))
