import os

import numpy

from openfisca_core.taxbenefitsystems import TaxBenefitSystem
from openfisca_core.variables import VALUE_TYPES

from . import entities

HERE = os.path.dirname(os.path.abspath(__file__))

# Amounts of this country have more digits than 32 bits hold.
VALUE_TYPES[float]["dtype"] = numpy.float64
VALUE_TYPES[int]["dtype"] = numpy.int64


class CountryTaxBenefitSystem(TaxBenefitSystem):
    def __init__(self):
        super().__init__(entities.entities)
        self.add_variables_from_file(os.path.join(HERE, "variables.py"))
        self.load_parameters(os.path.join(HERE, "parameters"))
