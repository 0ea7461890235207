# The classes are told by isinstance() and issubclass() by the kinds that they stand for, or by a method that a class has.
_views = (type({}.keys()), type({}.values()), type({}.items()))
_iterators = (type(iter(())), type(x for x in ()))


class _Abstract:
    _kinds = ()
    _method = ""

    def __class_getitem__(cls, key):
        return cls


class Container(_Abstract):
    _kinds = (list, tuple, str, bytes, dict, set, frozenset, range) + _views
    _method = "__contains__"


class Sized(_Abstract):
    _kinds = Container._kinds
    _method = "__len__"


class Iterable(_Abstract):
    _kinds = Container._kinds + _iterators
    _method = "__iter__"


class Collection(_Abstract):
    _kinds = Container._kinds


class Iterator(Iterable):
    _kinds = _iterators
    _method = "__next__"


class Generator(Iterator):
    _kinds = _iterators[1:]
    _method = ""


class Callable(_Abstract):
    _kinds = (type, type(len), type(lambda: None), type([].append))
    _method = "__call__"


class Hashable(_Abstract):
    _kinds = (int, float, str, bytes, tuple, frozenset, range, type, type(None), type(len), type(lambda: None))
    _method = "__hash__"


class Sequence(Collection):
    _kinds = (list, tuple, str, bytes, range)


class MutableSequence(Sequence):
    _kinds = (list,)


class Set(Collection):
    _kinds = (set, frozenset) + _views[:1] + _views[2:]


class MutableSet(Set):
    _kinds = (set,)


class Mapping(Collection):
    _kinds = (dict,)

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def keys(self):
        return list(self)

    def values(self):
        return [self[key] for key in self]

    def items(self):
        return [(key, self[key]) for key in self]


class MutableMapping(Mapping):
    def update(self, *others, **more):
        for other in (*others, more):
            for key, value in dict(other).items():
                self[key] = value
