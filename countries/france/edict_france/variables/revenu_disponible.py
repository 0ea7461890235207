"""The top of the tree: disposable income and what it is made of."""

from openfisca_core.model_api import *

from edict_france.entities import Famille, FoyerFiscal, Menage


class revenus_nets_du_travail(Variable):
    value_type = float
    entity = Menage
    unit = "currency"
    label = "Salaires nets du ménage"
    definition_period = YEAR
    reference = "https://www.insee.fr/fr/metadonnees/definition/c1458"

    def formula(menage, period):
        return menage.sum(menage.members("salaire_net", period, options=[ADD]))


class pensions_nettes(Variable):
    value_type = float
    entity = Menage
    unit = "currency"
    label = "Allocations de chômage et pensions nettes du ménage"
    definition_period = YEAR
    reference = "https://www.insee.fr/fr/metadonnees/definition/c1458"

    def formula(menage, period):
        chomage = menage.members("chomage_net", period, options=[ADD])
        return menage.sum(chomage + menage.members("retraite_nette", period, options=[ADD]))


class prestations_sociales(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "Prestations sociales"
    definition_period = YEAR
    reference = "https://www.insee.fr/fr/metadonnees/definition/c1458"

    def formula(famille, period):
        return (
            famille("prestations_familiales", period)
            + famille("aide_logement", period, options=[ADD])
            + famille("minima_sociaux", period)
        )


class impots_directs(Variable):
    value_type = float
    entity = Menage
    unit = "currency"
    label = "Impôts directs du ménage (montant négatif)"
    definition_period = YEAR
    reference = "https://www.insee.fr/fr/metadonnees/definition/c1458"

    def formula(menage, period):
        return menage.sum(menage.members.foyer_fiscal("irpp", period), role=FoyerFiscal.DECLARANT_PRINCIPAL)


class revdisp(Variable):
    value_type = float
    entity = Menage
    unit = "currency"
    label = "Revenu disponible du ménage"
    documentation = "Revenus nets de prélèvements sociaux, plus les prestations, moins les impôts directs sur les revenus de l'année."
    definition_period = YEAR
    reference = "https://www.insee.fr/fr/metadonnees/definition/c1458"

    def formula(menage, period):
        prestations = menage.sum(menage.members.famille("prestations_sociales", period), role=Famille.DEMANDEUR)
        return (
            menage("revenus_nets_du_travail", period)
            + menage("pensions_nettes", period)
            + prestations
            + menage("impots_directs", period)
        )


class unites_consommation(Variable):
    value_type = float
    entity = Menage
    unit = "/1"
    label = "Unités de consommation du ménage (échelle de l'OCDE modifiée)"
    documentation = "1 pour le premier adulte, 0,5 pour chaque autre personne de 14 ans ou plus, 0,3 pour chaque enfant plus jeune."
    definition_period = YEAR
    reference = "https://www.insee.fr/fr/metadonnees/definition/c1802"

    def formula(menage, period):
        grand = menage.members("age", period.first_month) >= 14
        grands = menage.sum(grand)
        petits = menage.sum(not_(grand))
        return 1 + max_(grands - 1, 0) * 0.5 + min_(petits, grands + petits - 1) * 0.3


class niveau_de_vie(Variable):
    value_type = float
    entity = Menage
    unit = "currency"
    label = "Niveau de vie du ménage"
    definition_period = YEAR
    reference = "https://www.insee.fr/fr/metadonnees/definition/c1890"

    def formula(menage, period):
        return menage("revdisp", period) / menage("unites_consommation", period)
