import os

import numpy

from openfisca_core.taxbenefitsystems import TaxBenefitSystem
from openfisca_core.taxscales import SingleAmountTaxScale
from openfisca_web_api.loader import variables

from feature_patches import entities

HERE = os.path.dirname(os.path.abspath(__file__))

single_amount = SingleAmountTaxScale.calc


def calc(self, tax_base, right=False, between=False):
    """Finds the amount of a bracket, or one between those of two."""
    if not between:
        return single_amount(self, tax_base, right=right)
    return numpy.interp(tax_base, self.thresholds, self.amounts)


def doubled(self, tax_base):
    return 2 * self.calc(tax_base)


original = variables.build_variable


def build_variable(variable, country_package_metadata):
    return {**original(variable, country_package_metadata), "more": variable.more}


SingleAmountTaxScale.calc = calc
SingleAmountTaxScale.doubled = doubled
variables.build_variable = build_variable


class CountryTaxBenefitSystem(TaxBenefitSystem):
    def __init__(self):
        super().__init__(entities.entities)
        self.add_variables_from_directory(os.path.join(HERE, "variables"))
        self.add_variables_from_directory(os.path.join(HERE, "more_variables"))
        self.load_parameters(os.path.join(HERE, "parameters"))
