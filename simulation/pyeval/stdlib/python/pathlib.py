import io
import os
from fnmatch import fnmatchcase
from glob import glob

import _files


class PurePath:
    def __init__(self, *parts):
        path = os.path.join(*[str(part) for part in parts]) if parts else ""
        names = [name for name in path.split("/") if name not in ("", ".")]
        self._path = ("/" if path.startswith("/") else "") + "/".join(names) or "."

    def __str__(self):
        return self._path

    def __repr__(self):
        return f"Posix{type(self).__name__}({self._path!r})" if isinstance(self, Path) else f"PurePosixPath({self._path!r})"

    def __fspath__(self):
        return self._path

    def __truediv__(self, other):
        return type(self)(self._path, str(other))

    def __rtruediv__(self, other):
        return type(self)(str(other), self._path)

    def __lt__(self, other):
        return self.parts < other.parts

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
        path = self
        while path.parent != path:
            path = path.parent
            found.append(path)
        return found

    @property
    def parts(self):
        names = tuple(name for name in self._path.split("/") if name not in ("", "."))
        return ("/", *names) if self.is_absolute() else names

    @property
    def suffixes(self):
        return ["." + part for part in self.name.lstrip(".").split(".")[1:]]

    def is_absolute(self):
        return self._path.startswith("/")

    def as_posix(self):
        return self._path

    def with_name(self, name):
        return self.parent / name

    def with_stem(self, stem):
        return self.with_name(stem + self.suffix)

    def with_suffix(self, suffix):
        return self.with_name(self.stem + suffix)

    def is_relative_to(self, *other):
        start = type(self)(*other).parts
        return self.parts[:len(start)] == start

    def relative_to(self, *other):
        start = type(self)(*other)
        if not self.is_relative_to(start):
            raise ValueError(f"{str(self)!r} is not in the subpath of {str(start)!r}")
        return type(self)(*self.parts[len(start.parts):])

    def match(self, pattern):
        names, wanted = self.parts, PurePath(pattern).parts
        if pattern.startswith("/") and len(names) != len(wanted):
            return False
        return len(names) >= len(wanted) and all(map(fnmatchcase, names[len(names) - len(wanted):], wanted))


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

    @classmethod
    def cwd(cls):
        return cls(os.path.abspath("."))

    def expanduser(self):
        return self

    def open(self, mode="r", buffering=-1, encoding=None, errors=None, newline=None):
        return io.open(self._path, mode, encoding=encoding)

    def read_text(self, encoding=None, errors=None):
        return _files.read(self._path, encoding or "utf-8")

    def read_bytes(self):
        return _files.read(self._path)

    def iterdir(self):
        return [self / name for name in _files.list(self._path)]

    def glob(self, pattern):
        for found in glob(str(pattern), root_dir=self._path, recursive=True, include_hidden=True):
            yield self / found

    def rglob(self, pattern):
        return self.glob("**/" + str(pattern))


PosixPath = Path
PurePosixPath = PurePath
