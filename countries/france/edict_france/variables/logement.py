"""The dwelling. Housing benefit is an input: the model does not compute it."""

from openfisca_core.model_api import *

from edict_france.entities import Famille, Menage


class TypesStatutOccupationLogement(Enum):
    __order__ = "non_renseigne primo_accedant proprietaire locataire_hlm locataire_vide locataire_meuble loge_gratuitement locataire_foyer sans_domicile"
    non_renseigne = "Non renseigné"
    primo_accedant = "Propriétaire qui rembourse un prêt"
    proprietaire = "Propriétaire sans prêt en cours"
    locataire_hlm = "Locataire d'un logement social"
    locataire_vide = "Locataire d'un logement vide"
    locataire_meuble = "Locataire d'un logement meublé"
    loge_gratuitement = "Logé gratuitement"
    locataire_foyer = "Résident d'un foyer ou d'une résidence universitaire"
    sans_domicile = "Sans domicile stable"


class statut_occupation_logement(Variable):
    value_type = Enum
    possible_values = TypesStatutOccupationLogement
    default_value = TypesStatutOccupationLogement.non_renseigne
    entity = Menage
    label = "Statut d'occupation du logement"
    documentation = "Un propriétaire sans prêt ou une personne logée gratuitement se voit compter le forfait logement du RSA."
    definition_period = MONTH
    set_input = set_input_dispatch_by_period
    reference = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000020526192"


class loyer(Variable):
    value_type = float
    entity = Menage
    unit = "currency"
    label = "Loyer mensuel"
    documentation = "Sert au taux d'effort seulement : l'aide au logement n'est pas calculée."
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = "https://www.legifrance.gouv.fr/loda/id/JORFTEXT000000509310"


class aide_logement(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "Aide au logement perçue (donnée, non calculée)"
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = "https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006074096/"


class taux_effort(Variable):
    value_type = float
    entity = Menage
    unit = "/1"
    label = "Part du revenu disponible consacrée au loyer, aide au logement déduite"
    definition_period = YEAR
    reference = "https://www.insee.fr/fr/metadonnees/definition/c1458"

    def formula(menage, period):
        aide = menage.sum(menage.members.famille("aide_logement", period, options=[ADD]), role=Famille.DEMANDEUR)
        loyer = max_(menage("loyer", period, options=[ADD]) - aide, 0)
        revdisp = menage("revdisp", period) - aide
        return where(revdisp > 0, loyer / max_(revdisp, 1), 0)
