import _files
import io

QUOTE_MINIMAL = 0
QUOTE_ALL = 1
QUOTE_NONNUMERIC = 2
QUOTE_NONE = 3


class Error(Exception):
    pass


# What may be said of how a file is written: with any other value fields would be read in another way.
_USUAL = {"doublequote": [True], "escapechar": [None], "skipinitialspace": [False], "quoting": [QUOTE_MINIMAL, QUOTE_ALL]}


def reader(csvfile, dialect="excel", delimiter=",", quotechar='"', **options):
    for name, value in options.items():
        if name not in ("lineterminator", "strict") and value not in _USUAL.get(name, []):
            raise NotImplementedError(f"csv: {name}={value!r} is not supported")
    if dialect not in ("excel", "excel-tab", "unix"):
        raise NotImplementedError(f"csv: the dialect {dialect!r} is not supported")
    if dialect == "excel-tab":
        delimiter = "\t"
    lines = csvfile.read() if isinstance(csvfile, io.StringIO) else list(csvfile)
    return _files.csv_rows(lines, delimiter, quotechar)


class DictReader:
    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect="excel", **options):
        self._rows = reader(f, dialect, **options)
        self._fieldnames = fieldnames
        self._restkey = restkey
        self._restval = restval

    @property
    def fieldnames(self):
        if self._fieldnames is None:
            self._fieldnames = next(self._rows, [])
        return self._fieldnames

    def __iter__(self):
        return _files.csv_records(self._rows, self.fieldnames, self._restkey, self._restval)
