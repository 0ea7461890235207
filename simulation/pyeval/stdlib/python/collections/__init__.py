from collections import abc


OrderedDict = dict


class _Mapping:
    # A dict of its own behaviour, and what a class derives from that says it derives from dict.
    def __init__(self, *args, **keywords):
        self._items = dict(*args, **keywords)

    def __missing__(self, key):
        raise KeyError(key)

    def __getitem__(self, key):
        return self._items[key] if key in self._items else self.__missing__(key)

    def __setitem__(self, key, value):
        self._items[key] = value

    def __delitem__(self, key):
        del self._items[key]

    def __contains__(self, key):
        return key in self._items

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def __eq__(self, other):
        return self._items == (other._items if isinstance(other, _Mapping) else other)

    def __repr__(self):
        return f"{type(self).__name__}({self._items!r})"

    def keys(self):
        return self._items.keys()

    def values(self):
        return self._items.values()

    def items(self):
        return self._items.items()

    def get(self, key, default=None):
        return self._items.get(key, default)

    def pop(self, key, *default):
        return self._items.pop(key, *default)

    def setdefault(self, key, default=None):
        return self._items.setdefault(key, default)

    def update(self, *args, **keywords):
        self._items.update(*args, **keywords)

    def copy(self):
        return dict(self._items)

    def clear(self):
        self._items.clear()

    def __or__(self, other):
        return {**self._items, **other}


class _Set:
    # What a class derives from that says it derives from set.
    def __init__(self, items=()):
        self._items = set(items)

    def __contains__(self, item):
        return item in self._items

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def __and__(self, other):
        return self._items & set(other)

    def __or__(self, other):
        return self._items | set(other)

    def __sub__(self, other):
        return self._items - set(other)

    def add(self, item):
        self._items.add(item)

    def discard(self, item):
        self._items.discard(item)

    def remove(self, item):
        self._items.remove(item)

    def update(self, *others):
        self._items.update(*others)


class defaultdict(_Mapping):
    def __init__(self, default_factory=None, *args, **keywords):
        super().__init__(*args, **keywords)
        self.default_factory = default_factory

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        self[key] = self.default_factory()
        return self[key]


class Counter(_Mapping):
    def __init__(self, iterable=()):
        super().__init__()
        for item in iterable:
            self[item] = self[item] + 1

    def __missing__(self, key):
        return 0

    def most_common(self, n=None):
        return sorted(self.items(), key=lambda item: item[1], reverse=True)[:n]


def namedtuple(typename, field_names, *, defaults=(), **_):
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    names = tuple(field_names)

    def __init__(self, *args, **keywords):
        values = dict(zip(names[len(names) - len(defaults):], defaults))
        values.update(zip(names, args))
        values.update(keywords)
        for name in names:
            if name not in values:
                raise TypeError(f"{typename}() missing argument '{name}'")
        for name in names:
            setattr(self, name, values[name])

    def values(self):
        return tuple(getattr(self, name) for name in names)

    known = dict(zip(names[len(names) - len(defaults):], defaults))
    return type(typename, (_Named,), {"__init__": __init__, "_fields": names, "_values": values, "_field_defaults": known})


class _Tuple:
    # What stands for tuple where a class derives from it.
    def __init__(self, items=()):
        self._items = tuple(items)

    def _values(self):
        return self._items

    def __iter__(self):
        return iter(self._values())

    def __len__(self):
        return len(self._values())

    def __getitem__(self, index):
        return self._values()[index]

    def __contains__(self, item):
        return item in self._values()

    def __eq__(self, other):
        return isinstance(other, tuple) and self._values() == tuple(other)

    def __lt__(self, other):
        return self._values() < tuple(other)

    def __le__(self, other):
        return self._values() <= tuple(other)

    def __gt__(self, other):
        return self._values() > tuple(other)

    def __ge__(self, other):
        return self._values() >= tuple(other)

    def __add__(self, other):
        return self._values() + tuple(other)

    def __radd__(self, other):
        return tuple(other) + self._values()

    def __mul__(self, times):
        return self._values() * times

    def __hash__(self):
        return hash(self._values())

    def __repr__(self):
        return repr(self._values())

    def count(self, item):
        return self._values().count(item)

    def index(self, *item):
        return self._values().index(*item)


class _Named(_Tuple):
    def __repr__(self):
        parts = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({parts})"

    @classmethod
    def _make(cls, items):
        return cls(*items)

    def _asdict(self):
        return dict(zip(self._fields, self._values()))

    def _replace(self, **changes):
        return type(self)(**{**self._asdict(), **changes})


class deque:
    def __init__(self, iterable=(), maxlen=None):
        self.maxlen = maxlen
        self._items = []
        for x in iterable:
            self.append(x)

    def append(self, x):
        self._items.append(x)
        if self.maxlen is not None and len(self._items) > self.maxlen:
            self._items.pop(0)

    def appendleft(self, x):
        self._items.insert(0, x)

    def pop(self):
        return self._items.pop()

    def popleft(self):
        return self._items.pop(0)

    def extend(self, iterable):
        for x in iterable:
            self.append(x)

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def __getitem__(self, i):
        return self._items[i]

    def __repr__(self):
        return f"deque({self._items!r})"
