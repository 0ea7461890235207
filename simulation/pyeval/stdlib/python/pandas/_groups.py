import _files
import numpy

from pandas._index import Index
from pandas._series import Series, plain


class Groups:
    # The rows of a frame by what they have in a column, or in several.
    def __init__(self, frame, by, sort, as_index=True):
        self._frame = frame
        self._as_index = as_index
        keys = by if isinstance(by, list) else [by]
        self._names = keys
        columns = [key.values if isinstance(key, Series) else frame._columns[key] for key in keys]
        codes, _ = _files.codes(columns)
        order = numpy.argsort(codes, kind="stable")
        ends = numpy.flatnonzero(numpy.diff(codes[order])) + 1
        several = isinstance(by, list) and len(by) > 1
        found = {}
        for at in numpy.split(order, ends) if len(order) else []:
            label = tuple(plain(column[at[0]]) for column in columns)
            if all(part == part for part in label):  # missing values are in no group
                found[label if several else label[0]] = at
        self._places = {label: found[label] for label in (sorted(found) if sort else found)}

    def _labels(self):
        names = [key.name if isinstance(key, Series) else key for key in self._names]
        return Index(list(self._places), names)

    @property
    def groups(self):
        return {label: self._frame.index.take(places) for label, places in self._places.items()}

    @property
    def ngroups(self):
        return len(self._places)

    def get_group(self, name):
        if name not in self._places:
            raise KeyError(name)
        return self._frame._take(self._places[name])

    def size(self):
        return Series([len(places) for places in self._places.values()], self._labels())

    def __len__(self):
        return len(self._places)

    def __iter__(self):
        for label in self._places:
            yield label, self.get_group(label)

    def __getitem__(self, name):
        if isinstance(name, list):
            raise NotImplementedError("groupby: one column at a time")
        return Group(self, name)

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._frame:
            raise AttributeError(f"'DataFrameGroupBy' object has no attribute '{name}'")
        return Group(self, name)


def groups_of_series(series, by, sort):
    from pandas._frame import DataFrame

    return Group(Groups(DataFrame({0: series.values}), by, sort), 0)


class Group:
    def __init__(self, groups, name):
        self._groups = groups
        self._values = groups._frame._columns[name]
        self._name = name

    def _of(self, values):
        series = Series(values, self._groups._labels(), self._name)
        return series if self._groups._as_index else series.reset_index()

    def apply(self, function):
        return self._of([function(Series(self._values[places])) for places in self._groups._places.values()])

    def shift(self, periods=1):
        # What the row of the same group has that many rows before.
        from_rows = numpy.full(len(self._values), -1)
        for places in self._groups._places.values():
            for i, place in enumerate(places):
                if 0 <= i - periods < len(places):
                    from_rows[place] = places[i - periods]
        values = self._values[numpy.maximum(from_rows, 0)]
        if values.dtype.kind == "M":
            return Series(numpy.where(from_rows >= 0, values, numpy.datetime64("NaT")), self._groups._frame.index, self._name)
        return Series(values, self._groups._frame.index, self._name).where(from_rows >= 0)

    def sum(self):
        return self._reduce(lambda values: values.sum())

    def mean(self):
        return self._reduce(lambda values: values.mean())

    def median(self):
        return self._reduce(lambda values: numpy.median(values))

    def quantile(self, q=0.5):
        if not isinstance(q, (int, float)):
            raise NotImplementedError("groupby: one quantile at a time")

        def at(values):
            if len(values) == 0:
                return numpy.nan
            values, place = numpy.sort(values), q * (len(values) - 1)
            low = int(place)
            above = values[low + 1] - values[low] if place > low else 0
            return float(values[low] + above * (place - low))

        return self._reduce(at)

    def min(self):
        return self._reduce(lambda values: values.min())

    def max(self):
        return self._reduce(lambda values: values.max())

    def _reduce(self, function):
        # Of the values that are not missing.
        known = None
        if self._values.dtype.kind in "fO":
            known = Series(self._values).notna().values
        found = []
        for places in self._groups._places.values():
            if known is None or known[places].all():
                found.append(function(self._values[places]))
            else:
                found.append(function(self._values[places][known[places]]))
        return self._of(found)

    def count(self):
        return self.apply(lambda part: part.count())

    def first(self):
        return self.apply(lambda part: part.iloc[0])
