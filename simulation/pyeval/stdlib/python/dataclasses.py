MISSING = object()


class FrozenInstanceError(AttributeError):
    pass


class Field:
    def __init__(self, default=MISSING, default_factory=MISSING, init=True, compare=True, repr=True):
        self.name = None
        self.type = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.compare = compare
        self.repr = repr

    def value(self):
        return self.default if self.default_factory is MISSING else self.default_factory()


def field(*, default=MISSING, default_factory=MISSING, init=True, compare=True, repr=True, **_):
    return Field(default, default_factory, init, compare, repr)


def dataclass(cls=None, *, frozen=False, eq=True, order=False, **_):
    if cls is None:
        return lambda cls: dataclass(cls, frozen=frozen, eq=eq, order=order)
    known = {}
    for base in reversed(cls.__mro__[1:]):
        known.update(getattr(base, "__dataclass_fields__", {}))
    for name, kind in cls.__dict__.get("__annotations__", {}).items():
        given = cls.__dict__.get(name, MISSING)
        made = given if isinstance(given, Field) else Field(given)
        made.name, made.type = name, kind
        known[name] = made
        if made.default is not MISSING:
            setattr(cls, name, made.default)
    fields = list(known.values())

    def __init__(self, *args, **keywords):
        names = [f.name for f in fields if f.init]
        if len(args) > len(names):
            raise TypeError(f"__init__() takes {len(names) + 1} positional arguments but {len(args) + 1} were given")
        given = dict(zip(names, args))
        for name, value in keywords.items():
            if name not in names:
                raise TypeError(f"__init__() got an unexpected keyword argument '{name}'")
            given[name] = value
        for f in fields:
            value = given[f.name] if f.name in given else f.value()
            if value is MISSING:
                raise TypeError(f"__init__() missing argument '{f.name}'")
            object.__setattr__(self, f.name, value)
        if hasattr(self, "__post_init__"):
            self.__post_init__()

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{f.name}={getattr(self, f.name)!r}' for f in fields if f.repr)})"

    def key(self):
        return tuple([getattr(self, f.name) for f in fields if f.compare])

    def __eq__(self, other):
        return type(self) is type(other) and key(self) == key(other)

    def __hash__(self):
        return hash(key(self))

    def __lt__(self, other):
        return key(self) < key(other)

    def __setattr__(self, name, value):
        raise FrozenInstanceError(f"cannot assign to field '{name}'")

    cls.__dataclass_fields__ = known
    for name, method in [("__init__", __init__), ("__repr__", __repr__)] + [("__eq__", __eq__)] * eq:
        if name not in cls.__dict__:
            setattr(cls, name, method)
    if order:
        cls.__lt__ = __lt__
    if frozen:
        cls.__setattr__ = __setattr__
        if eq and "__hash__" not in cls.__dict__:
            cls.__hash__ = __hash__
    return cls


def is_dataclass(thing):
    return hasattr(thing, "__dataclass_fields__")


def fields(thing):
    if not is_dataclass(thing):
        raise TypeError("must be called with a dataclass type or instance")
    return tuple(thing.__dataclass_fields__.values())


def replace(instance, **changes):
    values = {f.name: getattr(instance, f.name) for f in fields(instance) if f.init}
    values.update(changes)
    return type(instance)(**values)


def _plain(value):
    if is_dataclass(value):
        return asdict(value)
    if isinstance(value, (list, tuple)):
        return type(value)([_plain(item) for item in value])
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def asdict(instance):
    return {f.name: _plain(getattr(instance, f.name)) for f in fields(instance)}


def astuple(instance):
    return tuple([getattr(instance, f.name) for f in fields(instance)])
