# Arithmetic, names, control flow.
print(1 + 2 * 3, 7 // 2, -7 // 2, 7 % -3, 2 ** 10, 7 / 2, 1e16, 0.1 + 0.2)
print(2 ** 100, -(2 ** 63), 9223372036854775807 + 1, 3 * 10 ** 20 // 7)
print(10 ** 18 * 10, (2 ** 64) >> 3, 1 << 70, ~5, 6 & 3, 6 | 3, 6 ^ 3)
print(True + True, True & False, True | 2, 1 == 1.0 == True, 5.0 // 2, -5.5 % 2)
print(round(2.5), round(3.5), round(2.675, 2), round(1234, -2), round(-0.5), round(1e300))
print(int('  42 '), int('ff', 16), int(3.99), int(-3.99), float('1e3'), bool([]), bool('x'))
print('a' + 'b' * 3, 'abc'[1], 'abc'[-1], 'abcdef'[1:4], 'abcdef'[::-1], 'héé'[1:])
x = 5
if x > 3 and x < 10 or False:
    print('in range')
elif x:
    print('no')
else:
    print('never')
print(1 < x <= 5, not x, x if x > 3 else 0, None is None, x in (1, 5), 2 not in [1])
total = 0
for i in range(10):
    if i == 3:
        continue
    if i == 7:
        break
    total += i
else:
    print('not reached')
print(total)
n = 0
while True:
    n += 1
    if n > 5:
        break
print(n)
for i in range(2):
    pass
else:
    print('else ran', i)
a, (b, *c), d = 1, (2, 3, 4), 5
print(a, b, c, d)
first, *rest = 'xyz'
print(first, rest)
x = y = [1]
y.append(2)
print(x)
del y[0]
print(x, len(x))
print([i * j for i in range(3) for j in range(3) if i != j], {i % 2 for i in range(5)}, {k: v for k, v in zip('ab', [1, 2])})
print(sum(i * i for i in range(5)), list(map(str, [1, 2])), list(filter(None, [0, 1, '', 'a'])))
print((lambda a, b=2, *c, d=4, **e: (a, b, c, d, e))(1, 3, 5, 6, d=7, z=8))
if (w := 10) > 5:
    print(w)
print(f'{x!r} {3.14159:.2f} {42:>6}|{42:<6}|{42:^6}|{1234567:,} {"s":*^5} {0.5:%} {255:#x} {x=}')
print('%s %d %5.2f %r %05d %-5s| %%' % ('a', 3, 2.5, 'q', 42, 'l'))
print('{} {1} {name!r:>5} {0.real}'.format(1, 2, name='n') if False else '{0} {1} {name!r:>5} {0.real}'.format(1, 2, name='n'))
print(*[1, 2], sep='-', end='!\n')
print(max(1, 2, 3), min([4, 2]), max('abc', key=lambda c: -ord(c)), sorted([3, 1, 2], reverse=True), sorted('bca'))
print(any([0, 1]), all([1, 0]), abs(-3), divmod(-7, 2), pow(2, 5), pow(2, 5, 7), hex(255), bin(5), oct(8), chr(233), ord('é'))
print(isinstance(1, int), isinstance(True, int), isinstance('a', (int, str)), issubclass(bool, int), type(1).__name__)
print(list(enumerate('ab', 1)), list(reversed([1, 2])), list(zip([1, 2], 'ab')))
print(repr('it\'s'), repr("q\"'"), repr('\n\t\\é\x00'), repr(b'a\xff'), ascii('é'))
print(1_000_000, 0xff, 0b11, 0o17, 1e-5, 1.0, 100000000000000000.0, float('inf'), -float('inf'), float('nan'))
