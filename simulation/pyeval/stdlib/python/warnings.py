# Packages may warn; nothing is written.
def warn(*args, **keywords):
    pass


filterwarnings = simplefilter = warn


class catch_warnings:
    def __init__(self, **_):
        pass

    def __enter__(self):
        return []

    def __exit__(self, *_):
        pass
