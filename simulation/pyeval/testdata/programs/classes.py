# Classes.
class A:
    """A class."""
    kind = 'a'
    count = 0

    def __init__(self, x):
        self.x = x
        A.count += 1

    def get(self):
        return self.x

    @property
    def double(self):
        return self.x * 2

    @double.setter
    def double(self, v):
        self.x = v // 2

    @staticmethod
    def stat(v):
        return v + 1

    @classmethod
    def make(cls, v):
        return cls(v)

    def __repr__(self):
        return f'{type(self).__name__}({self.x})'

    def __eq__(self, other):
        return isinstance(other, A) and self.x == other.x

    def __hash__(self):
        return hash(self.x)

    def __lt__(self, other):
        return self.x < other.x

    def __add__(self, other):
        return A(self.x + (other.x if isinstance(other, A) else other))

    def __radd__(self, other):
        return A(other + self.x)

    def __len__(self):
        return self.x

    def __getitem__(self, k):
        if k >= self.x:
            raise IndexError(k)
        return k * 10

    def __contains__(self, k):
        return k == self.x

    def __call__(self, *args):
        return ('called', args)

    def __bool__(self):
        return self.x != 0


class B(A):
    kind = 'b'

    def __init__(self, x, y):
        super().__init__(x)
        self.y = y

    def get(self):
        return super().get() + self.y


a, b = A(3), B(4, 5)
print(a, b, a.get(), b.get(), A.kind, b.kind, A.count, b.double, A.stat(1), b.stat(2), B.make)if False else print(a, b, a.get(), b.get(), A.kind, b.kind, A.count, b.double, A.stat(1), b.stat(2))
a.double = 10
print(a.x, a == A(5), a != A(5), a in [A(5)], {a: 1}[A(5)], sorted([A(3), A(1)]))
print(a + 1, 1 + a, sum([A(1), A(2)]), len(a), list(a), 5 in a, a(1, 2), bool(A(0)), a[2])
print(isinstance(b, A), isinstance(a, B), issubclass(B, A), B.__mro__[1] is A, A.__name__, A.__doc__)
print(hasattr(a, 'x'), hasattr(a, 'z'), getattr(a, 'z', 'none'), vars(b) == {'x': 4, 'y': 5})
setattr(a, 'z', 1)
print(a.z)
del a.z
try:
    a.z
except AttributeError as e:
    print(str(e).split(' (')[0])


class Base:
    def hello(self):
        return 'base'


class L(Base):
    def hello(self):
        return 'l ' + super().hello()


class R(Base):
    def hello(self):
        return 'r ' + super().hello()


class D(L, R):
    pass


print(D().hello(), [c.__name__ for c in D.__mro__])


class Meta:
    def __getattr__(self, name):
        if name.startswith('x'):
            return name.upper()
        raise AttributeError(name)


m = Meta()
print(m.xyz, hasattr(m, 'abc'))


class Ctx:
    def __enter__(self):
        print('enter')
        return self

    def __exit__(self, t, v, tb):
        print('exit', t.__name__ if t else None)
        return t is KeyError


with Ctx() as c:
    print('inside')
with Ctx(), Ctx():
    raise KeyError('x')
T = type('T', (A,), {'kind': 't', 'extra': lambda self: self.x + 100})
print(T(1).extra(), T.kind, T(2))


class Iter:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


print(list(Iter(3)), [x for x in Iter(2)], next(Iter(5)))


class WithBody:
    xs = [1, 2, 3]
    ys = [x * 2 for x in xs]
    total = 0
    for v in xs:
        total += v
    if total > 5:
        big = True

    def method(self):
        return self.total


print(WithBody.ys, WithBody.total, WithBody.big, WithBody().method())


class Private:
    def __init__(self):
        self.__secret = 1

    def get(self):
        return self.__secret


print(Private().get(), hasattr(Private(), '__secret'), Private()._Private__secret)


class Plain:
    def __init__(self, a):
        super().__init__()
        self.a = a


class Single:
    made = None

    def __new__(cls, *args):
        if cls.made is None:
            cls.made = super().__new__(cls)
        return cls.made

    def __init__(self, v):
        self.v = v


print(Plain(1).a, Single(1) is Single(2), Single.made.v)
try:
    class_without = type('W', (), {})
    class_without(1)
except TypeError as e:
    print(e)


class Ops:
    def __init__(self, v):
        self.v = v

    def __iadd__(self, o):
        self.v += o
        return self

    def __neg__(self):
        return Ops(-self.v)

    def __setitem__(self, k, v):
        self.v = (k, v)

    def __delitem__(self, k):
        self.v = ('deleted', k)

    def __setattr__(self, name, value):
        super().__setattr__(name, value)

    def __format__(self, spec):
        return f'<{spec}:{self.v}>'

    def __str__(self):
        return 'ops'

    def __ne__(self, o):
        return 'ne'

    def __gt__(self, o):
        return 'gt'

    def __enter__(self):
        return 'entered'

    def __exit__(self, *a):
        return False


o = Ops(1)
o += 5
print(o.v, (-o).v, f'{o:x}', str(o), o != 1, o > 1, 1 < o)
o['k'] = 2
print(o.v)
del o['z']
print(o.v)
with o as e:
    print(e)


def passing(fn):
    def inner(self, *args):
        return fn(self, *args)
    return inner


class P:
    def m(self):
        return 'P.m'

    @classmethod
    def c(cls):
        return f'P.c {cls.__name__}'

    @property
    def p(self):
        return 'P.p'


class Q(P):
    @passing
    def m(self):
        return 'Q ' + super().m() + ' ' + ' '.join([super(Q, self).m()])

    @classmethod
    def c(cls):
        return 'Q ' + super().c()

    @property
    def p(self):
        return 'Q ' + super().p


class S(Q):
    pass


print(S().m(), S.c(), S().c(), S().p)
