import os
from pathlib import Path

from _files import import_module


def files(package):
    module = import_module(package) if isinstance(package, str) else package
    return Path(os.path.dirname(module.__file__))


def open_text(package, resource, encoding="utf-8", errors="strict"):
    return (files(package) / resource).open(encoding=encoding)


def read_text(package, resource, encoding="utf-8", errors="strict"):
    return (files(package) / resource).read_text(encoding)


def as_file(path):
    return _Held(path)


def path(package, resource):
    return _Held(files(package) / resource)


class _Held:
    def __init__(self, path):
        self._path = path

    def __enter__(self):
        return self._path

    def __exit__(self, *_):
        pass
