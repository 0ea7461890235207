MISSING = object()


class _Field:
    def __init__(self, default=MISSING, default_factory=MISSING):
        self.default = default
        self.default_factory = default_factory


def field(*, default=MISSING, default_factory=MISSING, **_):
    return _Field(default, default_factory)


def dataclass(cls=None, **options):
    if cls is None:
        return lambda cls: dataclass(cls)
    names = list(getattr(cls, "__annotations__", {}))

    def __init__(self, *args, **keywords):
        given = dict(zip(names, args))
        given.update(keywords)
        for name in names:
            if name in given:
                value = given[name]
            else:
                value = getattr(cls, name, MISSING)
                if isinstance(value, _Field):
                    value = value.default if value.default_factory is MISSING else value.default_factory()
            if value is MISSING:
                raise TypeError(f"__init__() missing argument '{name}'")
            setattr(self, name, value)

    def __repr__(self):
        return f"{cls.__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    def __eq__(self, other):
        return type(self) is type(other) and [getattr(self, n) for n in names] == [getattr(other, n) for n in names]

    cls.__init__ = __init__
    cls.__repr__ = __repr__
    cls.__eq__ = __eq__
    return cls


def asdict(instance):
    return dict(instance.__dict__)
