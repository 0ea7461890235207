"""A small model of French direct taxes and benefits, 2013 to 2025.

It is an ordinary OpenFisca country package. docs/reference/legislation.md says what it models and what it leaves out.
"""

import os

from openfisca_core.taxbenefitsystems import TaxBenefitSystem

from edict_france import entities

COUNTRY_DIR = os.path.dirname(os.path.abspath(__file__))


class CountryTaxBenefitSystem(TaxBenefitSystem):
    def __init__(self):
        super().__init__(entities.entities)
        self.add_variables_from_directory(os.path.join(COUNTRY_DIR, "variables"))
        self.load_parameters(os.path.join(COUNTRY_DIR, "parameters"))
        self.decomposition_file_path = os.path.join(COUNTRY_DIR, "decompositions", "revdisp.xml")
