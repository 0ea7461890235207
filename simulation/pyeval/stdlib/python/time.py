from datetime import datetime, timedelta

_EPOCH = datetime(1970, 1, 1)
_FIELDS = ("tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst")


class struct_time:
    def __init__(self, values):
        for name, value in zip(_FIELDS, values):
            setattr(self, name, value)

    def _values(self):
        return tuple(getattr(self, name) for name in _FIELDS)

    def __iter__(self):
        return iter(self._values())

    def __getitem__(self, key):
        return self._values()[key]

    def __len__(self):
        return len(_FIELDS)

    def __repr__(self):
        return "time.struct_time(" + ", ".join(f"{name}={getattr(self, name)}" for name in _FIELDS) + ")"


def _fields(moment):
    first = datetime(moment.year, 1, 1)
    return struct_time((moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second, moment.weekday(), (moment - first).days + 1, 0))


def time():
    return (datetime.utcnow() - _EPOCH).total_seconds()


def gmtime(secs=None):
    return _fields(datetime.utcnow() if secs is None else _EPOCH + timedelta(seconds=int(secs)))


def localtime(secs=None):
    if secs is None:
        return _fields(datetime.now())
    return _fields(_EPOCH + timedelta(seconds=int(secs)) + (datetime.now() - datetime.utcnow()))


def strftime(format, t=None):
    t = t or localtime()
    return datetime(*t[:6]).strftime(format)


monotonic = perf_counter = time


def sleep(secs):
    raise NotImplementedError("packages may not wait")
