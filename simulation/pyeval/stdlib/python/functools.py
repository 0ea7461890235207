def reduce(function, sequence, *initial):
    items = iter(sequence)
    if initial:
        value = initial[0]
    else:
        missing = []
        value = next(items, missing)
        if value is missing:
            raise TypeError("reduce() of empty iterable with no initial value")
    for item in items:
        value = function(value, item)
    return value


class partial:
    def __init__(self, func, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords

    def __call__(self, *args, **keywords):
        return self.func(*self.args, *args, **{**self.keywords, **keywords})


def wraps(wrapped, **_):
    def decorate(wrapper):
        wrapper.__wrapped__ = wrapped
        wrapper.__name__ = wrapped.__name__
        return wrapper
    return decorate


from _files import cache


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return cache(maxsize)
    return cache


def cached_property(function):
    return property(function)


def total_ordering(cls):
    return cls


def cmp_to_key(compare):
    class Key:
        def __init__(self, value):
            self.value = value

        def __lt__(self, other):
            return compare(self.value, other.value) < 0
    return Key
