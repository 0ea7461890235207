import os

from openfisca_core.taxbenefitsystems import TaxBenefitSystem

from . import entities

HERE = os.path.dirname(os.path.abspath(__file__))


class CountryTaxBenefitSystem(TaxBenefitSystem):
    def __init__(self):
        super().__init__(entities.entities)
        self.add_variables_from_file(os.path.join(HERE, "variables.py"))
        self.load_parameters(os.path.join(HERE, "parameters"))
