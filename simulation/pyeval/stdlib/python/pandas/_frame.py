import datetime

import _files
import numpy

from pandas._index import Index, index_of
from pandas._series import Series, is_mask, plain, to_array


def _rows(frame, key):
    # The places of the rows that a label, a list of labels or a mask means.
    if is_mask(key):
        mask = numpy.asarray(key.values if isinstance(key, Series) else key)
        return numpy.flatnonzero(mask)
    if isinstance(key, slice):
        if key.start is None and key.stop is None:
            return list(range(len(frame)))
        first = _found(frame, key.start)[0] if key.start is not None else 0
        last = _found(frame, key.stop)[-1] if key.stop is not None else len(frame) - 1
        return list(range(first, last + 1))
    if isinstance(key, (list, numpy.ndarray, Series)):
        return [i for label in key for i in _found(frame, plain(label))]
    return _found(frame, plain(key))


def _is_label(frame, key):
    return frame._deep == len(key) and not any(isinstance(part, (tuple, list, slice)) for part in key)


def _found(frame, label):
    found = frame.index.find(label)
    if not found:
        raise KeyError(label)
    return found


class _Loc:
    def __init__(self, frame):
        self.frame = frame

    def __getitem__(self, key):
        frame, columns = self.frame, None
        if isinstance(key, tuple) and not _is_label(frame, key):
            key, columns = key
        single = not isinstance(key, (list, slice, numpy.ndarray, Series))
        places = _rows(frame, key)
        if columns is None:
            return frame._row(places[0]) if single and len(places) == 1 else frame._take(places)
        if isinstance(columns, (list, slice)):
            names = list(frame.columns) if isinstance(columns, slice) else columns
            part = frame[names]
            return part._row(places[0]) if single and len(places) == 1 else part._take(places)
        values = frame._columns[columns]
        if single and len(places) == 1:
            return values[places[0]]
        return Series(values[places], frame.index.take(places), columns)

    def __setitem__(self, key, value):
        rows, column = key
        changed = Series(self.frame._columns[column])
        changed._put(_rows(self.frame, rows), value)
        self.frame._columns[column] = changed.values


class _ILoc:
    def __init__(self, frame):
        self.frame = frame

    def __getitem__(self, key):
        frame, column = self.frame, None
        if isinstance(key, tuple):
            key, column = key
        if isinstance(key, int):
            place = range(len(frame))[key]
            if column is None:
                return frame._row(place)
            if isinstance(column, int):
                return frame._columns[frame.columns[column]][place]
        places = list(key) if isinstance(key, (list, numpy.ndarray)) and not is_mask(key) else _rows(frame, key) if is_mask(key) else list(range(len(frame)))[key]
        if column is None:
            return frame._take([int(i) for i in places])
        name = frame.columns[column]
        if isinstance(column, int):
            return Series(frame._columns[name][places], frame.index.take(places), name)
        return frame[name]._take(places)


class DataFrame:
    def __init__(self, data=None, index=None, columns=None):
        if isinstance(data, list):
            names = list(columns) if columns is not None and len(columns) else list(data[0].keys() if isinstance(data[0], dict) else range(len(data[0])))
            data = {name: [row[name if isinstance(row, dict) else i] for row in data] for i, name in enumerate(names)}
        data = {name: _values(values) for name, values in (data or {}).items()}
        size = max([len(values) for values in data.values() if not _single(values)], default=0 if index is None else len(index))
        self._columns = {name: to_array([values] * size if _single(values) else values) for name, values in data.items()}
        self.index = index_of(index, size)
        self._deep = 0

    def _take(self, places):
        taken = DataFrame({name: values[places] for name, values in self._columns.items()}, self.index.take(places))
        taken._deep = self._deep
        return taken

    def _row(self, place):
        return Series([plain(values[place]) for values in self._columns.values()], self.columns, self.index[place])

    @property
    def columns(self):
        return Index(list(self._columns))

    @columns.setter
    def columns(self, names):
        names = list(names)
        if len(names) != len(self._columns):
            raise ValueError(f"Length mismatch: Expected axis has {len(self._columns)} elements, new values have {len(names)} elements")
        self._columns = dict(zip(names, self._columns.values()))

    @property
    def loc(self):
        return _Loc(self)

    at = loc

    @property
    def iloc(self):
        return _ILoc(self)

    iat = iloc

    @property
    def shape(self):
        return (len(self), len(self._columns))

    @property
    def empty(self):
        return len(self) == 0

    @property
    def values(self):
        columns = list(self._columns.values())
        if len({column.dtype.kind in "US" for column in columns}) == 2:
            columns = [column.astype(object) for column in columns]  # texts beside numbers
        return numpy.column_stack(columns)

    def to_numpy(self):
        return self.values

    def __array__(self):
        return self.values

    def __len__(self):
        return len(self.index)

    def __iter__(self):
        return iter(self.columns)

    def __contains__(self, name):
        return name in self._columns

    def __getitem__(self, key):
        if is_mask(key):
            return self._take(_rows(self, key))
        if isinstance(key, list):
            part = DataFrame({name: self._columns[name] for name in key}, self.index)
            part._deep = self._deep
            return part
        return Series(self._columns[key], self.index, key)

    def __setitem__(self, name, value):
        value = _values(value)
        self._columns[name] = numpy.asarray(value) if isinstance(value, (list, numpy.ndarray)) and getattr(value, "shape", None) != () else numpy.full(len(self), value)

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._columns:
            raise AttributeError(f"'DataFrame' object has no attribute '{name}'")
        return self[name]

    def __setattr__(self, name, value):
        if not name.startswith("_") and name not in ("index", "columns") and name in self._columns:
            self[name] = value
        else:
            object.__setattr__(self, name, value)

    def groupby(self, by, as_index=True, sort=True):
        from pandas._groups import Groups

        return Groups(self, by, sort, as_index)

    def assign(self, **columns):
        made = self.copy()
        for name, value in columns.items():
            made[name] = value(made) if callable(value) else value
        return made

    def apply(self, function, axis=0):
        if axis in (1, "columns"):
            return Series([function(self._row(i)) for i in range(len(self))], self.index)
        return Series([function(self[name]) for name in self.columns], self.columns)

    def get(self, name, default=None):
        return self[name] if name in self._columns else default

    def head(self, n=5):
        return self._take(list(range(len(self)))[:n])

    def tail(self, n=5):
        return self._take(list(range(len(self)))[-n:])

    def copy(self):
        made = DataFrame(self._columns, self.index)
        made._deep = self._deep
        return made

    def set_index(self, keys, drop=True):
        names = keys if isinstance(keys, list) else [keys]
        labels = [self._columns[name].tolist() for name in names]
        index = list(zip(*labels)) if isinstance(keys, list) and len(names) > 1 else labels[0]
        made = DataFrame({name: values for name, values in self._columns.items() if not drop or name not in names}, index)
        made._deep = len(names) if len(names) > 1 else 0
        made._names = made.index.names = names
        return made

    def reset_index(self, drop=False):
        columns = dict(self._columns)
        if not drop:
            names = self.__dict__.get("_names", ["index"])
            labels = [self.index] if len(names) == 1 else [[label[i] for label in self.index] for i in range(len(names))]
            columns = {**dict(zip(names, labels)), **columns}
        return DataFrame(columns)

    def rename(self, columns):
        made = DataFrame({(columns.get(name, name) if isinstance(columns, dict) else columns(name)): values for name, values in self._columns.items()}, self.index)
        made._deep = self._deep
        return made

    def drop(self, labels=None, axis=0, columns=None):
        if columns is None and axis not in (1, "columns"):
            raise NotImplementedError("pandas: DataFrame.drop drops columns only")
        names = columns if columns is not None else labels
        names = names if isinstance(names, list) else [names]
        return self[[name for name in self.columns if name not in names]]

    def astype(self, dtype):
        kinds = dtype if isinstance(dtype, dict) else {name: dtype for name in self._columns}
        made = self.copy()
        for name, kind in kinds.items():
            made._columns[name] = made._columns[name].astype(kind)
        return made

    def fillna(self, value):
        made = self.copy()
        for name in made.columns:
            filling = value.get(name) if isinstance(value, dict) else value
            if filling is not None:
                made._columns[name] = self[name].fillna(filling).values
        return made

    def isna(self):
        return DataFrame({name: self[name].isna().values for name in self.columns}, self.index)

    def dropna(self, subset=None):
        kept = numpy.full(len(self), True)
        for name in self.columns if subset is None else subset:
            kept = kept & self[name].notna().values
        return self[kept]

    def sort_values(self, by, ascending=True):
        names = by if isinstance(by, list) else [by]
        places = sorted(range(len(self)), key=lambda i: tuple(plain(self._columns[name][i]) for name in names), reverse=not ascending)
        return self._take(places)

    def duplicated(self, subset=None, keep="first"):
        names = self.columns if subset is None else subset if isinstance(subset, list) else [subset]
        codes = _files.codes([self._columns[name] for name in names])[0].tolist()
        rows = range(len(codes)) if keep == "last" else range(len(codes) - 1, -1, -1)
        kept = {codes[i]: i for i in rows}
        found = numpy.full(len(self), True)
        found[list(kept.values())] = False
        return Series(found, self.index)

    def drop_duplicates(self, subset=None, keep="first"):
        return self[~self.duplicated(subset, keep)]

    def iterrows(self):
        for i in range(len(self)):
            yield self.index[i], self._row(i)

    def itertuples(self, index=True, name="Pandas"):
        from collections import namedtuple
        fields = (["Index"] if index else []) + [str(c) for c in self.columns]
        record = namedtuple(name or "Pandas", fields)
        for i in range(len(self)):
            row = ([self.index[i]] if index else []) + [plain(values[i]) for values in self._columns.values()]
            yield record(*row) if name else tuple(row)

    def to_dict(self, orient="dict"):
        lists = {name: values.tolist() for name, values in self._columns.items()}
        if orient == "dict":
            return {name: dict(zip(self.index, values)) for name, values in lists.items()}
        if orient == "list":
            return lists
        if orient == "records":
            return [{name: values[i] for name, values in lists.items()} for i in range(len(self))]
        if orient == "index":
            return {label: {name: values[i] for name, values in lists.items()} for i, label in enumerate(self.index)}
        raise NotImplementedError(f"pandas: DataFrame.to_dict({orient!r}) is not supported")

    def merge(self, right, how="inner", on=None, left_on=None, right_on=None, validate=None):
        if how not in ("inner", "left"):
            raise NotImplementedError(f"pandas: merge with how={how!r} is not supported")
        left_names, right_names = _keys(self, right, left_on or on), _keys(self, right, right_on or on)
        left_keys, right_keys = [self._columns[name] for name in left_names], [right._columns[name] for name in right_names]
        if validate in ("many_to_one", "m:1", "one_to_one", "1:1") and _repeats(right_keys):
            raise ValueError("Merge keys are not unique in right dataset; not a many-to-one merge")
        if validate in ("one_to_many", "1:m", "one_to_one", "1:1") and _repeats(left_keys):
            raise ValueError("Merge keys are not unique in left dataset; not a one-to-many merge")
        rows, found = _files.match(left_keys, right_keys)
        if how == "inner":
            rows, found = rows[found >= 0], found[found >= 0]
        made = {name: values[rows] for name, values in self._columns.items()}
        lost = bool((found < 0).any())
        for name, values in right._columns.items():
            if name in made and name in left_names and name in right_names:
                continue
            title = name
            if name in made:
                made[f"{name}_x"] = made.pop(name)
                title = f"{name}_y"
            made[title] = to_array([numpy.nan if j < 0 else plain(values[j]) for j in found.tolist()]) if lost else values[found]
        return DataFrame(made)


def _single(values):
    return values is None or isinstance(values, (str, bytes, int, float, bool, datetime.date, numpy.generic)) or getattr(values, "shape", None) == ()


def _repeats(keys):
    codes, firsts = _files.codes(keys)
    return len(firsts) < len(codes)


def _values(values):
    if isinstance(values, Index):
        return values.tolist()
    return values.values if isinstance(values, Series) else values


def _keys(left, right, on):
    if on is None:
        return [name for name in left.columns if name in right.columns]
    return on if isinstance(on, list) else [on]
