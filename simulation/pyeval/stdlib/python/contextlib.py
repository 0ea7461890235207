class _Manager:
    def __init__(self, generator):
        self._generator = generator

    def __enter__(self):
        return next(self._generator)

    def __exit__(self, kind, error, trace):
        if kind is None:
            for _ in self._generator:
                raise RuntimeError("generator didn't stop")
            return False
        try:
            self._generator.throw(error)
        except StopIteration:
            return True
        except BaseException as raised:
            if raised is error:
                return False
            raise
        raise RuntimeError("generator didn't stop after throw()")


def contextmanager(function):
    def manager(*args, **keywords):
        return _Manager(function(*args, **keywords))

    manager.__name__ = function.__name__
    return manager


class nullcontext:
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *_):
        return False


class suppress:
    def __init__(self, *kinds):
        self._kinds = kinds

    def __enter__(self):
        return None

    def __exit__(self, kind, error, trace):
        return kind is not None and isinstance(error, self._kinds)


class closing:
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *_):
        self.thing.close()
        return False
