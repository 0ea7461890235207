class Iterable:
    pass


class Iterator(Iterable):
    pass


Sequence = (list, tuple, str, bytes)
Mapping = MutableMapping = (dict,)
Callable = Collection = Container = Generator = Hashable = MutableSequence = Set = Sized = Iterable
