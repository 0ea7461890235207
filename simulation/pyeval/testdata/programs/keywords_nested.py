# Keyword arguments and f-strings that are interrupted: by calls inside calls, exceptions and generators.
def f(*args, **kws):
    return sorted(kws.items()) + list(args)


def boom():
    raise ValueError("no")


print(f(a=f(a=1, b=f(c=2)), b=f(d=3), c=4))
try:
    f(a=1, b=f(x=1, y=boom()), c=3)
except ValueError as e:
    print(f(a=e.args, b=2))
print(f"{f(a=f'{1 + 1}|{f(b=2)}')}-{'x':>3}-{f'{3!r:>{2 + 2}}'}")
try:
    print(f"left {boom()} right")
except ValueError:
    print(f"{'again'}")


def pairs():
    got = f(a=1, b=(yield "first"), c=(yield f"{'sec'}{'ond'}"))
    yield got
    yield f"{'p'}{(yield 'third')}{'q'}"


one, two = pairs(), pairs()
print(next(one), f(z=next(two)), f"<{one.send(10)}{two.send(20)}>", f(y=two.send(21), x=one.send(11)))
print(next(one), next(two), one.send("1"), two.send("2"))


def stop_early(n):
    for x in (f(k=i, l=f"{i}") for i in range(n)):
        return x


print(f(m=stop_early(3), n=stop_early(2)), [x in ("a", "b", 1.0) for x in ("a", 1, True, "c", None)])


class Own(Exception):
    def __init__(self, code):
        self.code = code


class Plain(KeyError):
    pass


print(Own(3).code, Own(3).args, Plain("k", 2).args, repr(Plain()), KeyError("x").args)
