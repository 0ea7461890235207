from openfisca_core.taxbenefitsystems import TaxBenefitSystem


class Reform(TaxBenefitSystem):
    name = None

    def __init__(self, baseline):
        self.baseline = baseline
        self.key = type(self).__name__
        self.decomposition_file_path = baseline.decomposition_file_path
        self._attach(baseline._draft.reform(self.key), baseline.entities)
        if not hasattr(self, "apply"):
            raise Exception(f"reform {self.key} has no method apply")
        self.apply()

    def __getattr__(self, name):
        if name in ("baseline", "_draft"):
            raise AttributeError(name)
        return getattr(self.baseline, name)

    @property
    def full_key(self):
        if getattr(self.baseline, "baseline", None) is None:
            return self.key
        return f"{self.baseline.full_key}.{self.key}"

    def modify_parameters(self, modifier_function):
        self._draft.modify_parameters(modifier_function)


class Extension(Reform):
    # A legislation with an extension loaded: a reform that only adds.
    def __init__(self, baseline, extension):
        self._extension = extension
        super().__init__(baseline)

    def apply(self):
        self.load_extension(self._extension)


class Derived(Reform):
    # A legislation that was changed by reforms written as data; what they change is not done here.
    def apply(self):
        pass
