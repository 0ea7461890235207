import datetime

import _files
import numpy

from pandas._index import Index, index_of
from pandas._text import Days, Texts
from pandas._time import day_of


def plain(value):
    # A label as Python has it, so that it can be looked up.
    return value.item() if hasattr(value, "item") and not isinstance(value, Series) else value


def to_array(data):
    # Texts beside other values stay what they are.
    if isinstance(data, (list, tuple)) and len({isinstance(v, str) for v in data}) == 2:
        return numpy.array(data, dtype=object)
    return numpy.asarray(data)


def is_mask(key):
    values = key.values if isinstance(key, Series) else key
    if isinstance(values, list):
        return len(values) > 0 and all(isinstance(v, bool) for v in values)
    return isinstance(values, numpy.ndarray) and values.dtype == bool


class _Loc:
    def __init__(self, series):
        self.series = series

    def __getitem__(self, key):
        series = self.series
        if callable(key):
            key = key(series)
        if is_mask(key):
            return series[key]
        if isinstance(key, slice):
            if key.start is None and key.stop is None:
                return series
            raise NotImplementedError("pandas: ranges of labels are not supported")
        if isinstance(key, (list, numpy.ndarray, Series)):
            return series._take([i for label in key for i in series._find(plain(label))])
        found = series._find(plain(key))
        return series.values[found[0]] if len(found) == 1 else series._take(found)

    def __setitem__(self, key, value):
        series = self.series
        places = _places(key) if is_mask(key) else [i for label in (key if isinstance(key, list) else [key]) for i in series._find(plain(label))]
        series._put(places, value)


class _ILoc:
    def __init__(self, series):
        self.series = series

    def __getitem__(self, key):
        series = self.series
        if isinstance(key, int):
            return series.values[key]
        return series._take(list(range(len(series)))[key] if isinstance(key, slice) else [int(i) for i in key])

    def __setitem__(self, key, value):
        places = [key] if isinstance(key, int) else list(range(len(self.series)))[key] if isinstance(key, slice) else _places(key) if is_mask(key) else [int(i) for i in key]
        self.series._put(places, value)


def _places(mask):
    return numpy.flatnonzero(numpy.asarray(_other(mask)))


class Series:
    def __init__(self, data=None, index=None, name=None, dtype=None):
        if isinstance(data, Series):
            data, index, name = data.values, data.index if index is None else index, name or data.name
        if isinstance(data, dict):
            index, data = list(data.keys()), list(data.values())
        if isinstance(data, (str, int, float)) and index is not None:
            data = [data] * len(index)
        if dtype is not None and not isinstance(data, numpy.ndarray):
            data = numpy.array(data, dtype=dtype)
        self.values = to_array(data)
        self.index = index_of(index, len(self.values))
        self.name = name

    def __array__(self):
        return self.values

    def _like(self, values):
        made = Series.__new__(Series)
        made.values, made.index, made.name = to_array(values), self.index, self.name
        return made

    def _take(self, places):
        return Series(self.values[places], self.index.take(places), self.name)

    def _put(self, places, value):
        value = _other(value)
        if isinstance(value, str) and self.values.dtype.kind == "U" or isinstance(value, numpy.ndarray) and value.dtype.kind in "UO":
            self.values = self.values.astype(object)  # texts have no fixed width here
        values = self.values.copy()
        values[places] = value
        self.values = values

    @property
    def str(self):
        return Texts(self)

    @property
    def dt(self):
        return Days(self)

    def _find(self, label):
        found = self.index.find(label)
        if not found:
            raise KeyError(label)
        return found

    @property
    def loc(self):
        return _Loc(self)

    at = loc

    @property
    def iloc(self):
        return _ILoc(self)

    iat = iloc

    @property
    def dtype(self):
        return self.values.dtype

    @property
    def size(self):
        return len(self)

    @property
    def shape(self):
        return (len(self),)

    @property
    def empty(self):
        return len(self) == 0

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return iter(self.values)

    def __contains__(self, label):
        return label in self.index

    def __getitem__(self, key):
        if is_mask(key):
            mask = numpy.asarray(key.values if isinstance(key, Series) else key)
            return self._take(numpy.flatnonzero(mask))
        if isinstance(key, slice):
            return self._take(list(range(len(self)))[key])
        return self.loc[key]

    def __setitem__(self, key, value):
        self.loc[key] = value

    def __getattr__(self, name):
        if name.startswith("_") or name not in self.index:
            raise AttributeError(f"'Series' object has no attribute '{name}'")
        return self.loc[name]

    def get(self, key, default=None):
        return self.loc[key] if key in self.index else default

    def to_numpy(self, dtype=None):
        return self.values if dtype is None else self.values.astype(dtype)

    def tolist(self):
        return self.values.tolist()

    to_list = tolist

    def to_dict(self):
        return dict(zip(self.index, self.tolist()))

    def items(self):
        return zip(self.index, self.tolist())

    def keys(self):
        return self.index

    def item(self):
        if len(self) != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self.tolist()[0]

    def astype(self, dtype):
        return self._like(self.values.astype(dtype))

    def copy(self):
        return self._like(self.values)

    def map(self, how):
        if isinstance(how, Series) and how.index._places is not None:
            places = [how.index.find(plain(v)) for v in self.values]
            return self._like(to_array([plain(how.values[at[-1]]) if at else numpy.nan for at in places]))
        if isinstance(how, Series):
            how = how.to_dict()
        found = [how.get(plain(v), numpy.nan) if isinstance(how, dict) else how(v) for v in self.values]
        return self._like(to_array(found))

    def apply(self, function):
        return self._like(to_array([function(v) for v in self.tolist()]))

    def isna(self):
        if self.values.dtype.kind in "mM":
            return self._like(numpy.isnat(self.values))
        if self.values.dtype.kind == "f":
            return self._like(numpy.isnan(self.values))
        if self.values.dtype.kind in "biuUS":
            return self._like(numpy.zeros(len(self), dtype=bool))
        return self._like(numpy.array([v is None or v != v for v in self.tolist()], dtype=bool))

    isnull = isna

    def notna(self):
        return ~self.isna()

    notnull = notna

    def fillna(self, value):
        if self.values.dtype.kind == "M":
            return self.where(self.notna(), value)
        if isinstance(value, Series):
            return self._like(to_array([value.get(label, numpy.nan) if v is None or v != v else v for label, v in zip(self.index, self.tolist())]))
        return self._like(to_array([value if v is None or v != v else v for v in self.tolist()]))

    def where(self, cond, other=numpy.nan):
        if callable(cond):
            cond = cond(self)
        cond, other = numpy.asarray(_other(cond)), day_of(_other(other))
        if self.values.dtype.kind in "UO":
            others = other.tolist() if isinstance(other, numpy.ndarray) else [other] * len(self)
            return self._like([a if keep else b for a, keep, b in zip(self.tolist(), cond.tolist(), others)])
        return self._like(numpy.where(cond, self.values, other))

    def mask(self, cond, other=numpy.nan):
        return self.where(~numpy.asarray(_other(cond)), other)

    def reindex(self, index):
        labels = [plain(label) for label in index]
        found = [self.index.find(label) for label in labels]
        if all(found):
            return Series(self.values[[places[0] for places in found]], labels, self.name)
        return Series([plain(self.values[places[0]]) if places else numpy.nan for places in found], labels, self.name)

    def rename(self, name):
        return Series(self.values, self.index, name)

    def groupby(self, by, sort=True):
        from pandas._groups import groups_of_series

        return groups_of_series(self, by, sort)

    def duplicated(self, keep="first"):
        return self._like(numpy.array(self.index.__class__(self.tolist()).duplicated(keep)))

    def drop_duplicates(self, keep="first"):
        return self[~self.duplicated(keep)]

    def sort_values(self, ascending=True):
        return self._take(sorted(range(len(self)), key=lambda i: plain(self.values[i]), reverse=not ascending))

    def to_frame(self, name=None):
        from pandas._frame import DataFrame

        return DataFrame({name or self.name or 0: self.values}, self.index)

    def dropna(self):
        return self[self.notna()]

    def isin(self, values):
        known = values if isinstance(values, Index) else set(plain(v) for v in values)
        return self._like(numpy.array([v in known for v in self.tolist()], dtype=bool))

    def between(self, left, right, inclusive="both"):
        low = self >= left if inclusive in ("both", "left") else self > left
        return low & (self <= right if inclusive in ("both", "right") else self < right)

    def clip(self, lower=None, upper=None):
        values, lower, upper = self.values, day_of(_other(lower)), day_of(_other(upper))
        if lower is not None:
            values = numpy.where(values < lower, lower, values)
        return self._like(values if upper is None else numpy.where(values > upper, upper, values))

    def round(self, decimals=0):
        return self._like(numpy.round(self.values, decimals))

    def unique(self):
        return self.values[_files.codes([self.values])[1]]

    def nunique(self):
        return len(self.unique())

    def sum(self):
        return self.values[self.notna().values].sum()

    def min(self):
        return self.values[self.notna().values].min()

    def max(self):
        return self.values[self.notna().values].max()

    def median(self):
        return numpy.median(self.values[self.notna().values])

    def mean(self):
        return self.values[self.notna().values].mean()

    def idxmax(self):
        return self.index[int(self.values.argmax())]

    def idxmin(self):
        return self.index[int(self.values.argmin())]

    def any(self):
        return self.values.any()

    def all(self):
        return self.values.all()

    def count(self):
        return int(self.notna().values.sum())

    def cumsum(self):
        return self._like(self.values.cumsum())

    def reset_index(self, drop=False):
        if drop:
            return Series(self.values, None, self.name)
        from pandas._frame import DataFrame

        names = self.index.names
        return DataFrame({**{name: self.index.get_level_values(i) for i, name in enumerate(names)}, self.name or 0: self.values})

    def __hash__(self):
        raise TypeError("unhashable type: 'Series'")

    def __bool__(self):
        raise ValueError("The truth value of a Series is ambiguous. Use a.empty, a.bool(), a.item(), a.any() or a.all().")

    def __invert__(self):
        return self._like(~self.values)

    def __neg__(self):
        return self._like(-self.values)

    def __abs__(self):
        return self._like(abs(self.values))


def _other(x):
    return x.values if isinstance(x, Series) else x


def _operand(x):
    return numpy.timedelta64(x.days, "D") if isinstance(x, datetime.timedelta) else day_of(_other(x))


def _operators():
    table = {
        "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "truediv": lambda a, b: a / b,
        "floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b, "pow": lambda a, b: a ** b, "and": lambda a, b: a & b,
        "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
        "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
    }
    for name, compute in table.items():
        def forward(self, other, compute=compute):
            return self._like(compute(self.values, _operand(other)))

        def backward(self, other, compute=compute):
            return self._like(compute(_operand(other), self.values))

        setattr(Series, f"__{name}__", forward)
        if name not in ("eq", "ne", "lt", "le", "gt", "ge"):
            setattr(Series, f"__r{name}__", backward)


_operators()
