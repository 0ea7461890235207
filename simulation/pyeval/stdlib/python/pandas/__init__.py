# Look-up tables: what packages use of pandas to read them and to find things in them. A column is a numpy array, an index a
# list of labels. There are no time series, no arithmetic that aligns indexes.
import io

import _files
import numpy

from pandas._frame import DataFrame
from pandas._index import Index
from pandas._series import Series
from pandas._time import Timedelta, Timestamp

NA = numpy.nan


def read_csv(
    filepath_or_buffer, sep=",", delimiter=None, header="infer", names=None, index_col=None, usecols=None, dtype=None, skiprows=0, nrows=None,
    na_values=(), decimal=".", thousands=None, quotechar='"', encoding="utf-8", keep_default_na=True, **options,
):
    for option in options:
        if option not in ("engine", "low_memory", "memory_map", "encoding_errors", "float_precision", "compression") and not (option == "skipinitialspace" and not options[option]):
            raise NotImplementedError(f"pandas.read_csv: the option {option} is not supported")
    if hasattr(filepath_or_buffer, "read"):
        text = filepath_or_buffer.read()
        if isinstance(text, bytes):
            text = _files.unpack(text, encoding)
    else:
        text = _files.read(str(filepath_or_buffer), encoding)
    if header not in (0, None, "infer"):
        raise NotImplementedError("pandas.read_csv: header must be 0 or None")
    if header == 0 and names is not None:
        skiprows += 1  # the names stand in for the header
    with_header = header is not None and names is None
    texts = _text_columns(dtype, text, delimiter or sep, quotechar, skiprows)
    if isinstance(na_values, str):
        na_values = [na_values]
    titles, columns = _files.csv_columns(text, delimiter or sep, quotechar, with_header, skiprows, decimal, thousands or "", na_values, texts, keep_default_na)
    if titles is None:
        titles = list(names) if names is not None else list(range(len(columns)))
    frame = DataFrame(dict(zip(titles, columns)))
    if isinstance(dtype, dict):
        frame = frame.astype({name: kind for name, kind in dtype.items() if name in titles and name not in texts})
    elif dtype is not None and dtype not in (str, object, "str", "object"):
        frame = frame.astype(dtype)
    if usecols is not None:
        frame = frame[[name for i, name in enumerate(titles) if name in usecols or i in usecols]]
    if nrows is not None:
        frame = frame.head(nrows)
    if index_col is not None and index_col is not False:
        columns = [titles[c] if isinstance(c, int) else c for c in (index_col if isinstance(index_col, list) else [index_col])]
        frame = frame.set_index(columns if isinstance(index_col, list) else columns[0])
    return frame


def read_excel(io, sheet_name=0, header=0, index_col=None, usecols=None, dtype=None, **options):
    for option in options:
        if option not in ("engine", "engine_kwargs"):
            raise NotImplementedError(f"pandas.read_excel: the option {option} is not supported")
    if header != 0 or not isinstance(sheet_name, int):
        raise NotImplementedError("pandas.read_excel: header must be 0 and sheet_name a number")
    content = io.read() if hasattr(io, "read") else _files.read(str(io), None)
    frame = DataFrame(dict(zip(*_files.excel_columns(content, sheet_name))))
    if dtype is not None:
        frame = frame.astype(dtype)
    if usecols is not None:
        frame = frame[[name for i, name in enumerate(frame.columns) if name in usecols or i in usecols]]
    if index_col is not None:
        frame = frame.set_index(frame.columns[index_col] if isinstance(index_col, int) else index_col)
    return frame


def _text_columns(dtype, text, sep, quotechar, skiprows):
    # The columns whose cells stay as they are written: codes with leading zeros.
    if isinstance(dtype, dict):
        return [name for name, kind in dtype.items() if kind in (str, object, "str", "object", "string")]
    if dtype in (str, object, "str", "object", "string"):
        return _files.csv_columns(text, sep, quotechar, True, skiprows, ".", "", [], [], True)[0]
    return []


def isna(value):
    if isinstance(value, (Series, DataFrame)):
        return value.isna()
    if isinstance(value, numpy.ndarray):
        return Series(value).isna().values
    return value is None or value != value


isnull = isna


def notna(value):
    found = isna(value)
    return not found if isinstance(found, bool) else ~found


notnull = notna


def concat(frames, ignore_index=False):
    frames = list(frames)
    index = None if ignore_index else [label for f in frames for label in f.index]
    if isinstance(frames[0], Series):
        return Series(_joined([f.values for f in frames]), index)
    return DataFrame({name: _joined([f[name].values for f in frames]) for name in frames[0].columns}, index=index)


def _joined(arrays):
    arrays = [values for values in arrays if len(values)] or arrays
    if len({values.dtype.kind for values in arrays}) > 1 and any(values.dtype.kind in "UO" for values in arrays):
        arrays = [values.astype(object) for values in arrays]
    return numpy.concatenate(arrays)


def to_datetime(values):
    if isinstance(values, Series):
        return values._like(numpy.array(values.tolist(), dtype="datetime64[D]"))
    return Timestamp(values)


def merge(left, right, **options):
    return left.merge(right, **options)


def to_numeric(values, errors="raise"):
    return values.astype(float) if isinstance(values, Series) else numpy.asarray(values).astype(float)
