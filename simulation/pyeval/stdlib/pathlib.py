import io
import os
import re

import _files


class PurePath:
    def __init__(self, *parts):
        self._path = os.path.join(*[str(part) for part in parts]) if parts else "."

    def __str__(self):
        return self._path

    def __repr__(self):
        return f"{type(self).__name__}({self._path!r})"

    def __fspath__(self):
        return self._path

    def __truediv__(self, other):
        return type(self)(self._path, str(other))

    def __eq__(self, other):
        return isinstance(other, PurePath) and self._path == other._path

    def __hash__(self):
        return hash(self._path)

    def joinpath(self, *others):
        return type(self)(self._path, *others)

    @property
    def name(self):
        return os.path.basename(self._path)

    @property
    def stem(self):
        return os.path.splitext(self.name)[0]

    @property
    def suffix(self):
        return os.path.splitext(self.name)[1]

    @property
    def parent(self):
        return type(self)(os.path.dirname(self._path) or ".")

    @property
    def parents(self):
        found = []
        path = self.parent
        while str(path) not in ("/", "."):
            found.append(path)
            path = path.parent
        return found + [path]


class Path(PurePath):
    def exists(self):
        return _files.exists(self._path)

    def is_file(self):
        return _files.is_file(self._path)

    def is_dir(self):
        return _files.is_dir(self._path)

    def resolve(self, strict=False):
        return Path(os.path.abspath(self._path))

    absolute = resolve

    def open(self, mode="r", buffering=-1, encoding=None, errors=None, newline=None):
        return io.open(self._path, mode, encoding=encoding)

    def read_text(self, encoding=None, errors=None):
        return _files.read(self._path, encoding or "utf-8")

    def read_bytes(self):
        return _files.read(self._path)

    def iterdir(self):
        return [self / name for name in _files.list(self._path)]

    def glob(self, pattern):
        if "/" in pattern or "[" in pattern:
            raise ValueError(f"glob pattern {pattern!r} is not supported: one level of names, with * and ?")
        matching = re.compile("".join({"*": ".*", "?": "."}.get(c, re.escape(c)) for c in pattern))
        return [path for path in self.iterdir() if matching.fullmatch(path.name)]


PosixPath = Path
