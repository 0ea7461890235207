# Containers and their methods.
l = [3, 1, 2]
l.sort()
l.extend([5, 4])
l.insert(0, 'x')
print(l, l.index(2), l.count(1), l.pop(), l.pop(0), l)
l[1:3] = ['a', 'b', 'c']
print(l, l[::2], l[-2:], l + [1], l * 2, [1, 2] == [1, 2], [1, 2] < [1, 3])
l.reverse()
l.remove('a')
print(l, l.copy(), 'b' in l)
d = {'b': 1, 'a': 2}
d['c'] = 3
d.update(a=4, z=5)
print(d, list(d), d.get('q'), d.get('q', 0), d.pop('b'), d.setdefault('n', []), len(d))
print(list(d.items()), list(d.keys()), list(d.values()), 'a' in d, {1: 'x', 1.0: 'y', True: 'z'})
for k, v in d.items():
    print(k, v, end=';')
print()
print(dict([('a', 1)]), dict(x=1), dict.fromkeys('ab', 0), {**d, 'a': 0} | {'w': 1}, d == dict(d))
del d['a']
print(d, d.popitem())
s = {1, 2, 3}
s.add(2)
s.discard(9)
print(s | {4}, s & {1, 9}, s - {1}, s ^ {3, 4}, s <= {1, 2, 3, 4}, len(s), 2 in s, {1, 2} == {2, 1})
print(sorted({'b', 'a'}.union(['c'])), frozenset([1]) == {1}, {frozenset([1]): 'k'}[frozenset([1])])
t = (1, 2, 2)
print(t, t.count(2), t.index(2), t + (3,), t[1:], (1,) * 3, (), (1,), t == (1, 2, 2), {t: 1}[(1, 2, 2)])
print('a,b,,c'.split(','), ' a  b '.split(), 'a b c d'.split(' ', 2), 'a-b-c'.rsplit('-', 1), 'x\ny\r\nz'.splitlines())
print('Hello World'.lower(), 'abc'.upper(), 'hello world'.title(), 'abc'.capitalize(), ' x '.strip(), 'xxaxx'.strip('x'))
print('abc'.replace('b', 'X'), 'abcabc'.find('c'), 'abc'.find('z'), 'abcabc'.rfind('c'), 'abcabc'.count('bc'), 'abc'.startswith(('x', 'a')))
print('abc'.endswith('bc'), '-'.join(['a', 'b']), '42'.zfill(5), '-42'.zfill(5), 'a'.center(5, '*'), 'a'.ljust(3) + '|', 'a'.rjust(3))
print('abc'.isalpha(), '123'.isdigit(), 'aB1'.isalnum(), ' '.isspace(), 'a=b=c'.partition('='), 'a=b=c'.rpartition('='))
print('é'.encode(), 'é'.encode('latin-1'), b'\xc3\xa9'.decode('utf-8'), b'abc'[0], b'abc'[1:], b'a' + b'b', b'abc'.startswith(b'a'))
print(list(range(5)), list(range(2, 10, 3)), list(range(5, 0, -2)), range(3) == range(3), 3 in range(5), len(range(0, 10, 3)), range(5)[2])
print([1, [2, [3]]], {'k': (1, {'n': None})}, str([1.0, 'a', None, True]), [1, 2, 3][-1])
a = [1, 2]
b = a
a += [3]
print(b, a is b, a == b, a is not None)
x = 5
x //= 2
x **= 3
print(x)
nested = {'a': {'b': [1, 2]}}
nested['a']['b'][0] += 10
print(nested)
print(sorted([('b', 1), ('a', 2)], key=lambda p: p[1]), sorted({'z': 1, 'y': 2}), min([(2, 'a'), (1, 'b')]))
print(list(map(None.__class__ if False else len, ['a', 'bb'])), [*{'a': 1}], list('abc'), tuple('ab'), set('a'))
print(hash(1) == hash(1.0) == hash(True), hash('a') == hash('a'), hash((1, 2)) == hash((1, 2)))
print('abc' < 'abd', 'a' in 'abc', 'abc' * 0 == '', 'a' 'b', r'\n', 'a\
b', '''multi
line''')
print('x'.join('abc'), 'a\tb'.expandtabs(), 'ab'.translate(str.maketrans('a', 'z')), 'prefix_x'.removeprefix('prefix_'))


class Same:
    def __init__(self, v):
        self.v = v

    def __hash__(self):
        return 1

    def __eq__(self, other):
        return isinstance(other, Same) and self.v == other.v

    def __repr__(self):
        return f'Same({self.v})'


d = {Same(i): i for i in range(5)}
print(d, d[Same(3)], Same(7) in d, len({Same(1), Same(1), Same(2)}))
del d[Same(1)]
d[Same(4)] = 'four'
d[Same(9)] = 'nine'
print(d, d == {Same(9): 'nine', Same(0): 0, Same(2): 2, Same(3): 3, Same(4): 'four'}, d.pop(Same(2)), Same(2) in d)
t = 'añb€c\nde'
print(t[0], t[1], t[-1], t[1:4], t[::2], t[:-3], t.find('c'), t.find('b', 1), t.find('a', 1), t.index('d', 3, 7), t.count('e', 2), t[9:], t[2:1], len(t))
