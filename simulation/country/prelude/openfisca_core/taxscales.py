from _edict import (
    AmountTaxScaleLike,
    LinearAverageRateTaxScale,
    MarginalAmountTaxScale,
    MarginalRateTaxScale,
    RateTaxScaleLike,
    SingleAmountTaxScale,
    TaxScaleLike,
    combine_tax_scales,
)
from openfisca_core.errors import EmptyArgumentError


class AbstractTaxScale:
    # A scale of no kind: packages that are older than the kinds derive from it.
    def __init__(self, name=None, option=None, unit=None):
        self.name = name or "Untitled TaxScale"
        self.option = option
        self.unit = unit
        self.thresholds = []

    def _missing(self, method):
        raise NotImplementedError(f"{type(self).__name__} has no method {method} of its own")

    def __repr__(self):
        self._missing("__repr__")

    def calc(self, tax_base, right=False):
        self._missing("calc")

    def to_dict(self):
        self._missing("to_dict")


class AbstractRateTaxScale(AbstractTaxScale):
    def __init__(self, name=None, option=None, unit=None):
        super().__init__(name, option, unit)
        self.rates = []

    def calc(self, tax_base, factor=1.0, round_base_decimals=None):
        self._missing("calc")
