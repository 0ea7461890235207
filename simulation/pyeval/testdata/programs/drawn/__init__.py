# Draws arguments for functions of numpy, and tells what they answer.
import numpy as np

TYPES = ["bool", "int16", "int32", "int64", "float32", "float64"]
SHAPES = [(), (0,), (1,), (4,), (6,), (2, 3), (3, 1), (2, 0), (1, 4), (2, 3, 2), (1, 2, 3), (2, 0, 3)]
FULL = [s for s in SHAPES if s and 0 not in s]
NUMBERS = [3, 0, -2, 5, 1, 1, -4, 2, 7, 0, 6, -1]


class Draw:
    def __init__(self, seed):
        self.state = seed * 2654435761 % 2**32

    def below(self, n):
        self.state = (self.state * 1103515245 + 12345) % 2**31
        return (self.state >> 8) % n

    def of(self, choices):
        return choices[self.below(len(choices))]

    def array(self, shape=None, types=TYPES, nans=False, least=None):
        shape = self.of(SHAPES) if shape is None else shape
        kind = self.of(types)
        size = 1
        for n in shape:
            size *= n
        numbers = [self.of(NUMBERS) for _ in range(size)]
        if least is not None:
            numbers = [max(x, least) for x in numbers]
        if kind.startswith("float"):
            numbers = [x / 4 for x in numbers]
            if nans and self.below(2):
                numbers = [float("nan") if self.below(4) == 0 else x for x in numbers]
        a = np.array(numbers, dtype="float64" if size == 0 else None).astype(kind).reshape(shape)
        return a

    def like(self, a, **keywords):
        # Another array that goes with one: of its shape, of its last axis, or of one place.
        return self.array(self.of([a.shape, a.shape, a.shape[-1:], (1,) * a.ndim]), **keywords)

    def axis(self, dims, several=False):
        choices = [None] + list(range(-dims, dims))
        if several and dims > 1:
            choices += [(0, 1), (-1, 0)]
        return self.of(choices)


def told(x):
    if isinstance(x, (tuple, list)) or hasattr(x, "_fields"):
        return "(" + ", ".join([told(v) for v in x]) + ")"
    if hasattr(x, "dtype"):
        return f"{x.dtype} {x.shape} {values(x.tolist(), 6 if x.dtype == np.float32 else 10)}"
    return values(x, 10)


def values(x, digits):
    if isinstance(x, list):
        return "[" + " ".join([values(v, digits) for v in x]) + "]"
    if isinstance(x, float):
        return "0" if x == 0 else f"{x:.{digits}g}"
    return str(x)


def ask(name, f, args, keywords=None):
    # One line: the function, its arguments, its answer.
    keywords = keywords or {}
    asked = [told(a) for a in args if not callable(a)] + [f"{k}={told(v) if hasattr(v, 'dtype') else v}" for k, v in keywords.items()]
    try:
        answer = told(f(*args, **keywords))
    except Exception:
        answer = "refused"
    print(f"{name}({'; '.join(asked)}) = {answer}")


def named(name):
    f = np
    for part in name.split("."):
        f = getattr(f, part)
    return f
