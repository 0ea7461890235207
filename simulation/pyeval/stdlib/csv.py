QUOTE_MINIMAL = 0
QUOTE_ALL = 1
QUOTE_NONNUMERIC = 2
QUOTE_NONE = 3


class Error(Exception):
    pass


def _fields(lines, delimiter, quotechar):
    # Yields the rows of the lines; a quoted field may go on over several of them.
    row, field, quoted, was_quoted = [], [], False, False
    for line in lines:
        at, end = 0, len(line)
        while at < end:
            char = line[at]
            if quoted:
                if char != quotechar:
                    field.append(char)
                elif line[at + 1:at + 2] == quotechar:
                    field.append(char)
                    at += 1
                else:
                    quoted = False
            elif char == quotechar and not field and not was_quoted:
                quoted = was_quoted = True
            elif char == delimiter:
                row.append("".join(field))
                field, was_quoted = [], False
            elif char not in "\r\n":
                stop = at + 1
                while stop < end and line[stop] not in (delimiter, quotechar, "\r", "\n"):
                    stop += 1
                field.append(line[at:stop])
                at = stop - 1
            at += 1
        if quoted:
            continue
        if row or field or was_quoted:
            row.append("".join(field))
        yield row
        row, field, was_quoted = [], [], False


def reader(csvfile, dialect="excel", delimiter=",", quotechar='"', **options):
    if dialect == "excel-tab":
        delimiter = "\t"
    return _fields(csvfile, delimiter, quotechar)


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
        names = self.fieldnames
        for row in self._rows:
            if not row:
                continue
            record = dict(zip(names, row))
            if len(row) > len(names):
                record[self._restkey] = row[len(names):]
            for name in names[len(row):]:
                record[name] = self._restval
            yield record
