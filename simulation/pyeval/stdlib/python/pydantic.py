# Models hold what they are given; nothing is checked.
ConfigDict = dict


class _Private:
    def __init__(self, default=None, default_factory=None):
        self.default, self.default_factory = default, default_factory

    def value(self):
        return self.default if self.default_factory is None else self.default_factory()


def PrivateAttr(default=None, *, default_factory=None):
    return _Private(default, default_factory)


def Field(default=None, *, default_factory=None, **_):
    return _Private(default, default_factory)


class BaseModel:
    def __init__(self, **values):
        for base in reversed(type(self).__mro__):
            for name in base.__dict__.get("__annotations__", {}):
                given = getattr(type(self), name, None)
                setattr(self, name, given.value() if isinstance(given, _Private) else given)
        for name, value in values.items():
            setattr(self, name, value)
        if hasattr(self, "model_post_init"):
            self.model_post_init(None)
