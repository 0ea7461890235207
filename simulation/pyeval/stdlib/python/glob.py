import os
from fnmatch import filter as _filter


def has_magic(pattern):
    return any(c in pattern for c in "*?[")


def escape(pathname):
    return "".join(f"[{c}]" if c in "*?[" else c for c in pathname)


def iglob(pathname, *, root_dir=None, recursive=False, include_hidden=False):
    yield from glob(pathname, root_dir=root_dir, recursive=recursive, include_hidden=include_hidden)


def glob(pathname, *, root_dir=None, recursive=False, include_hidden=False):
    pathname = str(pathname)
    base = "" if root_dir is None else str(root_dir)
    found = ["/"] if pathname.startswith("/") else [""]
    for part in [part for part in pathname.split("/") if part]:
        if part == "**" and recursive:
            found = [below for path in found for below in _below(base, path, include_hidden)]
        elif has_magic(part):
            found = [os.path.join(path, name) for path in found for name in _matching(base, path, part, include_hidden)]
        else:
            found = [os.path.join(path, part) for path in found]
            found = [path for path in found if os.path.exists(os.path.join(base, path))]
    return [path for path in found if path]


def _names(base, path, hidden):
    place = os.path.join(base, path) or "."
    if not os.path.isdir(place):
        return []
    return [name for name in os.listdir(place) if hidden or not name.startswith(".")]


def _matching(base, path, pattern, hidden):
    return _filter(_names(base, path, hidden or pattern.startswith(".")), pattern)


def _below(base, path, hidden):
    yield path
    for name in _names(base, path, hidden):
        yield from _below(base, os.path.join(path, name), hidden)
