from _edict import (
    LinearAverageRateTaxScale,
    MarginalAmountTaxScale,
    MarginalRateTaxScale,
    SingleAmountTaxScale,
    combine_tax_scales,
)
from openfisca_core.errors import EmptyArgumentError
