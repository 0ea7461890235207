import _files

_END = 1 << 62  # behind the last line, however many there are


class _Reader:
    # A file that was read whole; it can be read, iterated over and closed. It is split into lines when
    # lines are asked for.
    def __init__(self, content="", name=""):
        self._content = content
        self._lines = None
        self._next = 0
        self.name = name
        self.closed = False

    def _split(self):
        if self._lines is None:
            self._lines = _files.lines(self._content)
        return self._lines

    def read(self, size=-1):
        if self._next == 0 and (self._lines is None or size is None or size < 0):
            content = self._content
        else:
            content = type(self._content)().join(self._split()[self._next:])
        self._next = _END
        if size is None or size < 0 or size >= len(content):
            return content
        self._lines = [content[:size]] + _files.lines(content[size:])
        self._next = 1
        return content[:size]

    def readline(self):
        lines = self._split()
        if self._next >= len(lines):
            return type(self._content)()
        self._next += 1
        return lines[self._next - 1]

    def readlines(self):
        return list(self)

    def getvalue(self):
        return self._content

    def seek(self, offset):
        if offset != 0:
            raise OSError("files can only be read again from the beginning")
        self._lines = None
        self._next = 0
        return offset

    def close(self):
        self.closed = True

    def __iter__(self):
        lines = self._split()[self._next:]
        self._next = _END
        return iter(lines)

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


StringIO = _Reader
BytesIO = _Reader
TextIOWrapper = _Reader


def open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
    name = str(file)
    if "w" in mode or "a" in mode or "+" in mode or "x" in mode:
        raise PermissionError(f"'{name}' cannot be written: packages only read")
    if "b" in mode:
        return _Reader(_files.read(name), name)
    return _Reader(_files.read(name, encoding or "utf-8"), name)
