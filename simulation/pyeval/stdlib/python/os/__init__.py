import _files
from os import path

linesep = "\n"
sep = "/"
name = "posix"
environ = {}


def getcwd():
    return "."


def getenv(key, default=None):
    return default


def listdir(path="."):
    return _files.list(str(path))


def fspath(path):
    return str(path)


def walk(top):
    names = _files.list(str(top))
    folders = [name for name in names if path.isdir(path.join(top, name))]
    yield top, folders, [name for name in names if name not in folders]
    for name in folders:
        yield from walk(path.join(top, name))
