version = "3.11.0"
version_info = (3, 11, 0, "final", 0)
maxsize = 9223372036854775807
path = []
argv = []
modules = {}
platform = "linux"


def exit(*_):
    raise SystemExit


def setrecursionlimit(limit):
    pass


def getrecursionlimit():
    return 1000
