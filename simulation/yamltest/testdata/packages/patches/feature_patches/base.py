from openfisca_core.variables import Variable


class Described(Variable):
    """A variable with an attribute of this package."""

    def __init__(self, baseline_variable=None):
        own = self.__class__
        self.more = own.__dict__.get("more")
        if self.more is not None:
            del own.more
        super().__init__(baseline_variable)
