class SimpleNamespace:
    def __init__(self, **names):
        for name, value in names.items():
            setattr(self, name, value)
