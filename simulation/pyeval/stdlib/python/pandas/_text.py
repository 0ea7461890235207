import re

import numpy


class Texts:
    # series.str: what texts have for methods, for each of them; what is missing stays missing.
    def __init__(self, series):
        self._series = series

    def _each(self, function):
        found = [function(v) if isinstance(v, str) else numpy.nan for v in self._series.tolist()]
        return self._series._like(found)

    def _tests(self, function):
        return self._series._like(numpy.array([isinstance(v, str) and bool(function(v)) for v in self._series.tolist()], dtype=bool))

    def __getitem__(self, key):
        if isinstance(key, slice):
            return self._each(lambda v: v[key])
        return self._each(lambda v: v[key] if -len(v) <= key < len(v) else numpy.nan)

    def get(self, i):
        return self[i]

    def slice(self, start=None, stop=None, step=None):
        return self._each(lambda v: v[start:stop:step])

    def len(self):
        return self._each(len)

    def zfill(self, width):
        return self._each(lambda v: v.zfill(width))

    def strip(self, to_strip=None):
        return self._each(lambda v: v.strip(to_strip))

    def lstrip(self, to_strip=None):
        return self._each(lambda v: v.lstrip(to_strip))

    def rstrip(self, to_strip=None):
        return self._each(lambda v: v.rstrip(to_strip))

    def upper(self):
        return self._each(lambda v: v.upper())

    def lower(self):
        return self._each(lambda v: v.lower())

    def title(self):
        return self._each(lambda v: v.title())

    def startswith(self, pat):
        return self._tests(lambda v: v.startswith(pat))

    def endswith(self, pat):
        return self._tests(lambda v: v.endswith(pat))

    def isdigit(self):
        return self._tests(lambda v: v.isdigit())

    def contains(self, pat, regex=True):
        return self._tests((lambda v: re.search(pat, v)) if regex else (lambda v: pat in v))

    def match(self, pat):
        return self._tests(lambda v: re.match(pat, v))

    def fullmatch(self, pat):
        return self._tests(lambda v: re.fullmatch(pat, v))

    def replace(self, pat, repl, regex=False):
        return self._each((lambda v: re.sub(pat, repl, v)) if regex else (lambda v: v.replace(pat, repl)))

    def extract(self, pat, expand=True):
        if expand:
            raise NotImplementedError("pandas: Series.str.extract needs expand=False")

        def first(v):
            found = re.search(pat, v)
            return numpy.nan if found is None or found.group(1) is None else found.group(1)

        return self._each(first)

    def cat(self, others, sep=""):
        pairs = zip(self._series.tolist(), others.tolist() if hasattr(others, "tolist") else others)
        return self._series._like([a + sep + b if isinstance(a, str) and isinstance(b, str) else numpy.nan for a, b in pairs])


class Days:
    # series.dt: dates and spans of days.
    def __init__(self, series):
        self._series = series

    @property
    def days(self):
        return self._series._like(self._series.values.astype("timedelta64[D]").astype(numpy.int64))

    @property
    def year(self):
        return self._series._like(self._series.values.astype("datetime64[Y]").astype(numpy.int64) + 1970)
