from collections import _Named, namedtuple
from collections.abc import Callable, Collection, Container, Generator, Hashable, Iterable, Iterator, Mapping, MutableMapping, MutableSequence, Sequence, Sized


# Annotations are not evaluated; the names only have to be there.
class _Any:
    def __getitem__(self, key):
        return self

    def __or__(self, other):
        return self

    __ror__ = __or__

    def __call__(self, *args, **keywords):
        return self


Any = AnyStr = ClassVar = Final = Generic = Literal = NoReturn = Optional = Protocol = SupportsFloat = TypeAlias = Union = Annotated = Self = _Any()
Dict, FrozenSet, List, Set, Text, Tuple, Type = dict, frozenset, list, set, str, tuple, type

TYPE_CHECKING = False


def TypeVar(name, *args, **keywords):
    return Any


def NewType(name, type):
    return type


def cast(type, value):
    return value


def overload(function):
    return function


def final(function):
    return function


class NamedTuple(_Named):
    def __init_subclass__(cls):
        names = tuple(cls.__annotations__)
        defaults = [getattr(cls, name) for name in names if hasattr(cls, name)]
        made = namedtuple(cls.__name__, names, defaults=defaults)
        cls._fields, cls._values, cls.__init__, cls._field_defaults = names, made._values, made.__init__, made._field_defaults


class TypedDict:
    pass
