"""A change of one figure: the top income tax rate becomes 49 % from 2014."""

from openfisca_core.model_api import *
from openfisca_core.periods import instant


def relever_la_tranche_superieure(parametres):
    tranche = parametres.impot_revenu.bareme.brackets[4]
    tranche.rate.update(start=instant("2014-01-01"), value=0.49)
    return parametres


class tranche_superieure(Reform):
    """Le taux marginal supérieur de l'impôt sur le revenu passe de 45 % à 49 % à partir des revenus de 2014."""

    name = "Tranche supérieure de l'impôt sur le revenu à 49 %"

    def apply(self):
        self.modify_parameters(modifier_function=relever_la_tranche_superieure)
