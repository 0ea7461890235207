import json

# Parts of sequences, whatever the bounds are written as.
text, items, pair, raw = "äbcdefgh", list(range(9)), (1, 2, 3), b"bytes"
print(text[:4], text[2:], text[-3:-1], text[::-1], text[::3], text[5:2], text[100:], text[::-3], repr(text[2:2]))
print(items[:4], items[2:], items[-3:-1], items[::-1], items[::3], items[5:2], items[7:1:-2], items[1:7:-2], items[::-4], items[8:0:-4])
print(pair[:2], pair[::-1], pair[5:], raw[:2], raw[::-1], raw[1:4:2])


class Whole:
    def __getitem__(self, key):
        return key


whole = Whole()
print(whole[1:2], whole[::3], whole[1:2] == slice(1, 2), [whole[i:] for i in range(2)])
for bad in (lambda: text["a":], lambda: items[::0], lambda: len(items)[1:]):
    try:
        print(bad())
    except (TypeError, ValueError, KeyError) as error:
        print(type(error).__name__)

# The best of arguments and of anything that has elements.
print(max(3, 1, 2), min(3, 1, 2), max("b", "a", key=lambda s: -ord(s)), min([4, 2, 2.0]), max((x * x % 7 for x in range(5))), max([], default=None))
print(max({"a": 1, "b": 2}), max({"a": 3, "b": 2}.items(), key=lambda item: item[1]), min("hello"), max([1, True, 1.0]), max(1.0, 1), max(1, 1.0))
for bad in (lambda: max([]), lambda: max(1), lambda: max(), lambda: max("a", 1), lambda: max(1, 2, wrong=3), lambda: min(x for x in ())):
    try:
        print(bad())
    except (TypeError, ValueError) as error:
        print(type(error).__name__)

# What is made of each element, in the order of the elements, while they change.
print([i for i in range(5)], [k for k in {"a": 1}], [v for v in {1: 2}.values()], [x for x in (1, 2)], [x for x in {3}], [x for x in "abc"])
growing = [1, 2]
print([len(growing) < 5 and growing.append(x) or x for x in growing])
shrinking = [1, 2, 3, 4]
print([shrinking.pop() for x in shrinking], shrinking)
print({x: x * 2 for x in range(3)}, {x % 2: x for x in [1, 2, 3]}, {k: v for k, v in {"a": 1, "b": 2}.items()}, len({str(i): i for i in range(20)}), {i: i for i in range(12)}[11])
print(tuple(x for x in {"k": 1}.items()), list({"k": 1}), list(range(0)), list(range(10, 0, -3)), tuple({"v": 2}.values()), list(map(str, range(3))))
print({"one": 1, 2: "two", (3,): 3.0, **{"more": 4}, "one": 5}, {str(i): i for i in range(3)} | {"2": "two"})

# Functions over several iterables, and one that takes from the iterable that it is called for.
print(list(map(lambda a, b: a + b, [1, 2, 3], (10, 20))), list(map(max, [1, 5], [4, 2], [3, 3])), list(zip([1, 2], "ab", (x for x in range(9)))))
numbers = iter(range(10))
print(list(map(lambda a: (a, next(numbers, None)), numbers)))
inner = map(lambda x: x + 1, [1, 2, 3, 4, 5, 6])
print(list(map(lambda x: (x, sum(map(lambda y: x * y, [x, 1])), next(inner)), [1, 2, 3])))


def fails(x):
    if x == 2:
        raise KeyError(x)
    return x


def attempts():
    for n in (1, 2, 3):
        try:
            yield list(map(fails, [0, n]))
        except KeyError as error:
            yield f"no {error}"


print(list(attempts()))

# Whether it is so, of several things.
for a in (0, 1, "", "x"):
    for b in ([], [0], None):
        print(bool(a and b), bool(a or b), bool(not a and b or not b), end=" ")
        if a and not b or b and not a:
            print("either", end=" ")
print([x for x in range(12) if x % 2 and x % 3 or x > 10], 1 if "" or [] else 2)

# Texts are written piece by piece, also while others are.
strange = "\" \\ \b \f \n \r \t \x00 \x1f \x7f é \u2028 𝄞"
print(json.dumps(strange), json.dumps(strange, ensure_ascii=False), json.dumps({strange: [strange]}, sort_keys=True, separators=(",", ":")))


class Money:
    def __init__(self, amount):
        self.amount = amount


def shown(value):
    return f"{json.dumps({'b': value.amount, 'a': f'{value.amount:.2f}'}, sort_keys=True)} {value.amount}"


print(json.dumps({"x": [Money(1.5), {"y": Money(2)}], "w": None}, default=shown, indent=1))
try:
    print(f"{json.dumps({'deep': [1, {2: object()}]})}")
except TypeError as error:
    print(error, f"{1}{json.dumps([True, 1e300, -0.0, 12345678901234567890])}")

# What belongs to Python itself stays as it is.
for kind in (str, list, dict, int, ValueError, object):
    try:
        kind.upper = lambda self: "changed"
    except TypeError as error:
        print(error)


class Loud:
    def upper(self):
        return "loud"

    def append(self, item):
        print("appended", item, end=" ")

    keys = staticmethod(lambda: ["loud"])


for word in ("a", Loud(), "c", str, [], {"k": 1}, Loud):
    try:
        print(word.upper("d") if word is str else word.upper(), end=" ")
    except (AttributeError, TypeError) as error:
        print(type(error).__name__, end=" ")
for to in ([], Loud(), [0], (), {}):
    try:
        print(to.append(1), to, end=" ") if isinstance(to, list) else to.append(1)
    except AttributeError as error:
        print(error, end=" ")
for of in ({"k": 1}, Loud(), {}, Loud):
    print(list(of.keys()), end=" ")
print()
