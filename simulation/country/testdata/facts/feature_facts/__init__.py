from openfisca_core.entities import build_entity
from openfisca_core.taxbenefitsystems import TaxBenefitSystem

from feature_facts import core, enums, periods, tables

person = build_entity(key="person", plural="persons", label="", is_person=True)


class CountryTaxBenefitSystem(TaxBenefitSystem):
    facts = [*core.facts(), *enums.facts(), *periods.facts(), *tables.facts()]

    def __init__(self):
        super().__init__([person])
