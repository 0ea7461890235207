"""A change of structure: an unconditional allowance per person takes the place of RSA and prime d'activité.

Each parent of a family receives the lump sum of a single RSA claimant, each child half of it, whatever the income.
The family's total keeps the name rsa, so that every sum and every decomposition of the base system still holds.
"""

from openfisca_core.model_api import *

from edict_france.entities import Famille, Individu


class allocation_unique_par_personne(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "Allocation unique d'une personne (réforme)"
    definition_period = MONTH
    calculate_output = calculate_output_add

    def formula(individu, period, parameters):
        base = parameters(period).prestations.rsa.montant_de_base
        enfant = individu("rsa_enfant_a_charge", period)
        return base * select([individu.has_role(Famille.PARENT), enfant], [1.0, 0.5], default=0.0)


class rsa(Variable):
    label = "Allocation unique (réforme)"

    def formula(famille, period):
        return famille.sum(famille.members("allocation_unique_par_personne", period))


class allocation_unique(Reform):
    """Chaque parent d'une famille reçoit le montant forfaitaire du RSA d'une personne seule, chaque enfant la moitié, quels que soient les revenus."""

    name = "Allocation unique à la place du RSA et de la prime d'activité"

    def apply(self):
        self.add_variable(allocation_unique_par_personne)
        self.update_variable(rsa)
        self.neutralize_variable("ppa")
