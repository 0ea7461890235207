# Packages may log; nothing is written.
DEBUG, INFO, WARNING, ERROR, CRITICAL = 10, 20, 30, 40, 50


class Logger:
    def __init__(self, name=""):
        self.name = name

    def debug(self, *args, **keywords):
        pass

    info = warning = warn = error = exception = critical = log = setLevel = addHandler = debug

    def isEnabledFor(self, level):
        return False


class Handler(Logger):
    pass


StreamHandler = FileHandler = NullHandler = Formatter = Handler


def getLogger(name=None):
    return Logger(name)


def basicConfig(*args, **keywords):
    pass


debug = info = warning = warn = error = exception = critical = log = basicConfig
