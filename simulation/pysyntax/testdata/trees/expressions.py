"""Docstring."""
x = 1_000 + 0x1F * 0b11 // 0o7 ** -2 ** 2
y = -x ** 2 % 3 @ (1 << 2 >> 1) | 3 & ~4 ^ 5
big = 123456789012345678901234567890
f = 1.5e300, .5, 1e16, 1e-5, 1e999, 0.0001
s = 'a' "b" r'\d' u'uni' '\u00e9\x00\n' "it's" '"' "\"'"
b = b'ab\xff' b"c"
n = None, True, False, ...
c = a < b <= c != d is not e not in f
bo = a and b or not c and (d or e)
t = (), (1,), 1, (2, 3)
l = [1, *a, [], [2]]
d = {'a': 1, **k, (1, 2): {}}
st = {1, 2, *z}
v = a.b.c[1][1:2][::3][1:, ..., None][x, y]
call = f(1, *a, k=2, **kw)(g for g in h)(a, (b for b in c), z=(yield_ for yield_ in 1))
lam = lambda: 0, lambda a, /, b=1, *c, d, e=2, **f: (a, b)
w = [y := f(x), y ** 2]
cond = a if b else c if d else e
comp = [i for i in range(3) if i if i > 1 for j in i], {i for i in a}, {k: v for k, v in d.items()}, (i for i in a)
neg = (-1) ** 2, -1 ** 2, (a + b) * c, a - (b - c), a ** (b ** c), (a ** b) ** c, not (not a)
(1).real, 1.0.real, 'a'.join(x)
été = 家族 = ﬁ = 1
昭和三〇年度 = Ⅷ = 'Ⅷ〇'
