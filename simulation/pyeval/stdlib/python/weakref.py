# Nothing is kept alive by these, and nothing is found again in them: what packages remember by them is worked out again.
class WeakKeyDictionary:
    def __init__(self, *_):
        pass

    def __setitem__(self, key, value):
        pass

    def __getitem__(self, key):
        raise KeyError(key)

    def __contains__(self, key):
        return False

    def __len__(self):
        return 0

    def __iter__(self):
        return iter(())

    def get(self, key, default=None):
        return default

    pop = setdefault = get


WeakValueDictionary = WeakKeyDictionary


class ref:
    # It keeps what it refers to.
    def __init__(self, to, callback=None):
        self._to = to

    def __call__(self):
        return self._to
