# enum: members, look-up, order, aliases.
from enum import Enum, auto


class Colour(Enum):
    RED = 1
    GREEN = "g"
    CRIMSON = 1

    def bright(self):
        return self.name + "!"

    @property
    def twice(self):
        return [self.value] * 2


class Step(Enum):
    A = auto()
    B = auto()


print(Colour.RED, repr(Colour.RED), Colour.RED.name, Colour.RED.value, Colour(1), Colour["GREEN"], Colour("g") is Colour.GREEN)
print([c.name for c in Colour], len(Colour), Colour.CRIMSON is Colour.RED, Colour.RED == Colour.GREEN, Colour.RED in Colour, {Colour.RED: 5}[Colour.CRIMSON])
print(Colour.RED.bright(), Colour.GREEN.twice, Step.A.value, Step.B.value, isinstance(Step.A, Step), type(Step.A).__name__)
for bad in (lambda: Colour(9), lambda: Colour["NONE"], lambda: Colour.NONE):
    try:
        bad()
    except (ValueError, KeyError, AttributeError) as e:
        print(type(e).__name__)
print(Colour.RED != 1, [c for c in Step], sorted([2, 1]), f"{Colour.RED}")

# the functional form
Size = Enum("Size", {"S": "small", "L": "large"})
print(Size.S, Size.S.value, Size("large"), [s.name for s in Size], Size.__name__)
print([(s.name, s.value) for s in Enum("Numbered", "a b c")], [(s.name, s.value) for s in Enum("Commas", "a, b", start=5)])
print([(s.name, s.value) for s in Enum("Listed", ["x", "y"])], [(s.name, s.value) for s in Enum("Pairs", [("x", 3), ("y", 4)])])


class Codes(Enum):
    # A name may begin with an underscore; _x_ and __x__ are no members, and neither is __x, which is private.
    __order__ = "none _01_11Z _99"
    none = "none"
    _01_11Z = "cereals"
    _99 = "other"
    __hidden = "hidden"

    @property
    def short(self):
        return self.value[:3]


print([c.name for c in Codes], Codes._01_11Z, Codes["_99"].short, Codes("cereals").name)
