# Names of built-ins and methods of their types that the other programs do not call.


def attempt(what, f):
    try:
        print(what, f())
    except Exception as e:
        print(what, type(e).__name__, e)


# Errors and their families.
families = [BaseException, Exception, ArithmeticError, LookupError, OSError, ValueError, Warning, UnicodeError, RuntimeError, ImportError]
for e in (DeprecationWarning, EOFError, FileExistsError, FileNotFoundError, FloatingPointError, FutureWarning, GeneratorExit, IndexError, IsADirectoryError, KeyError,
          KeyboardInterrupt, ModuleNotFoundError, NotADirectoryError, NotImplementedError, OverflowError, PermissionError, RecursionError, RuntimeWarning, StopIteration, SyntaxError, SystemExit,
          TimeoutError, UnicodeDecodeError, UnicodeEncodeError, UserWarning, ZeroDivisionError):
    print(e.__name__, [issubclass(e, f) for f in families])
print(EnvironmentError is OSError, IOError is OSError)
for e in (LookupError("a"), OSError("b"), OverflowError("c"), UserWarning("d"), EOFError(), PermissionError("e")):
    try:
        raise e
    except (LookupError, OSError, ArithmeticError, Warning) as caught:
        print(type(caught).__name__, caught.args, str(caught))
    except BaseException as caught:
        print("base", type(caught).__name__, caught.args)
try:
    raise KeyboardInterrupt("k")
except Exception:
    print("an Exception")
except BaseException as caught:
    print("no Exception", caught.args)


class Money:
    def __init__(self, cents):
        self.cents = cents

    def __add__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return Money(self.cents + other.cents)

    def __eq__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return self.cents == other.cents


print((Money(1) + Money(2)).cents, Money(1) == Money(1), Money(1) == 1, Money(1) != 1)
attempt("add", lambda: Money(1) + 1)
print(NotImplemented is NotImplemented, repr(NotImplemented))

thing = Money(5)
delattr(thing, "cents")
attempt("gone", lambda: thing.cents)
attempt("delattr", lambda: delattr(thing, "cents"))
print([name for name in dir(thing) if not name.startswith("__")])
thing.a, thing.b = 1, 2
print([name for name in dir(thing) if not name.startswith("__")])

# Numbers.
for i in (0, 1, 255, 256, -7, 2**70, True, False):
    print(i, i.bit_length(), i.bit_count(), i.conjugate(), i.numerator, i.denominator, i.real, i.imag)
for f in (0.0, 1.5, 2.0, -3.0, 1e300, float("inf"), float("nan")):
    print(f, f.is_integer())

# Sets.
a, b = {1, 2, 3, 4}, frozenset([3, 4, 5])
for s, t in ((a, b), (b, a), (frozenset(a), b), (set(), b)):
    print(sorted(s.difference(t)), sorted(s.intersection(t)), sorted(s.symmetric_difference(t)), sorted(s.union(t)), s.isdisjoint(t), s.issubset(t), s.issuperset(t))
    print(type(s.difference(t)).__name__, type(s | t).__name__, type(s ^ t).__name__)
print(sorted(a.difference([1], (2,))), sorted(a.intersection([1, 2], {2, 3})), a.issubset(range(10)), a.issuperset([1]), a.isdisjoint("ab"))
c = set(a)
c.difference_update({1}, [9])
print(sorted(c))
c.intersection_update([2, 3, 9])
print(sorted(c))
c.symmetric_difference_update([3, 7])
print(sorted(c), a <= {1, 2, 3, 4, 5}, a < a, a >= {1}, {1} > set())

# Slices.
s = slice(1, 10, 3)
print(s.start, s.stop, s.step, s == slice(1, 10, 3))
print(s.indices(5), slice(None).indices(3), slice(None, None, -1).indices(3), slice(-2, 100).indices(7), slice(5, 1, -2).indices(4))
print(slice(2).start, slice(2).step, repr(s), list(range(20))[s])

# Text.
for text in ("Straße", "abc", "ABC", "Abc Def", "a1", "12", "½", "", "_x", "9x", "class", "é"):
    print(repr(text), repr(text.casefold()), text.isascii(), text.isdecimal(), text.isnumeric(), text.isdigit(), text.isidentifier(), text.islower(), text.isupper(), repr(text.swapcase()), repr(text.upper()))
print("{a}-{b[0]}".format_map({"a": 1, "b": [2]}))
attempt("format_map", lambda: "{x}".format_map({}))
print(repr("  a b ".lstrip()), repr("  a b ".rstrip()), repr("xxaxx".lstrip("x")), repr("xyaxy".rstrip("yx")))
print("abcabc".rindex("b"), "abcabc".rindex("b", 0, 4), "file.txt".removesuffix(".txt"), "file.txt".removesuffix(".csv"), "file".removesuffix(""))
attempt("rindex", lambda: "abc".rindex("z"))
print(bytes(3), bytes([65, 66]), bytes("é", "utf-8"), bytes(b"x"))
attempt("bytes", lambda: bytes("é"))
for text in ("Hello World", "Hello world", "HELLO", "Hi There 2U", "1a", "A", "", "They'Re", "a\n", "tab\t", "é ü", "\u00a0"):
    print(repr(text), text.istitle(), text.isprintable())
for r in (range(5), range(2, 20, 3), range(10, 0, -4), range(0)):
    print(r.start, r.stop, r.step, len(r), [r.count(i) for i in (0, 2, 3)], [r.index(i) for i in r])
attempt("index", lambda: range(3).index(7))
