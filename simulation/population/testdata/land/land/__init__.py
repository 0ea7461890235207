"""A small country whose formulas look at rows, at groups, and at everybody."""

import os

from openfisca_core.taxbenefitsystems import TaxBenefitSystem

from land import entities

HERE = os.path.dirname(os.path.abspath(__file__))


class CountryTaxBenefitSystem(TaxBenefitSystem):
    def __init__(self):
        super().__init__(entities.entities)
        self.add_variables_from_directory(os.path.join(HERE, "variables"))
        self.load_parameters(os.path.join(HERE, "parameters"))
