from collections import _Named, namedtuple


# Annotations are not evaluated; the names only have to be there.
class _Any:
    def __getitem__(self, key):
        return self

    def __or__(self, other):
        return self

    __ror__ = __or__

    def __call__(self, *args, **keywords):
        return self


Any = AnyStr = Callable = ClassVar = Collection = Dict = Final = FrozenSet = Generator = Generic = Hashable = _Any()
Iterable = Iterator = List = Literal = Mapping = MutableMapping = NoReturn = Optional = Protocol = Sequence = Set = _Any()
Sized = SupportsFloat = Text = Tuple = Type = TypeAlias = Union = Annotated = Self = _Any()

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
