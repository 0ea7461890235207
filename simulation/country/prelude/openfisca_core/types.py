# Names for annotations: any of them will do.
def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    return object
