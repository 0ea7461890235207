class SimpleNamespace:
    def __init__(self, **names):
        for name, value in names.items():
            setattr(self, name, value)


def MappingProxyType(mapping):
    # Nobody but its maker has the dict that it is a view of.
    return mapping


FunctionType = LambdaType = type(lambda: None)
