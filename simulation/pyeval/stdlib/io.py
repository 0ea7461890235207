import _files


class _Reader:
    # A file that was read whole; it can be read, iterated over and closed.
    def __init__(self, content, name=""):
        self._content = content
        self._at = 0
        self.name = name
        self.closed = False

    def read(self, size=-1):
        end = len(self._content) if size is None or size < 0 else self._at + size
        part = self._content[self._at:end]
        self._at += len(part)
        return part

    def readline(self):
        newline = "\n" if isinstance(self._content, str) else b"\n"
        at = self._content.find(newline, self._at)
        end = len(self._content) if at < 0 else at + 1
        line = self._content[self._at:end]
        self._at = end
        return line

    def readlines(self):
        return list(self)

    def seek(self, offset):
        self._at = offset
        return offset

    def tell(self):
        return self._at

    def close(self):
        self.closed = True

    def __iter__(self):
        # Splits what is left once: looking for every line end in a long text would not be linear.
        newline = "\n" if isinstance(self._content, str) else b"\n"
        lines = self._content[self._at:].split(newline)
        last = lines.pop()
        for line in lines:
            line += newline
            self._at += len(line)
            yield line
        if last:
            self._at += len(last)
            yield last

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
