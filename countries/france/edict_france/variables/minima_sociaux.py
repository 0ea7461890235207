"""Minimum income: revenu de solidarité active, and prime d'activité since 2016.

The law looks back on the three months before; here a month's right depends on that month's income, which is the same for
a stable income.
"""

from openfisca_core.model_api import *

from edict_france.entities import Famille, Individu
from edict_france.variables.logement import TypesStatutOccupationLogement

CASF = "https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006074069/"
PRIME_ACTIVITE = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000037994814"


def taux_du_foyer(adultes, enfants, rsa):
    """The lump sum of a household, as a multiple of the one of a single person."""
    personnes = adultes + enfants
    deuxieme = (personnes >= 2) * rsa.taux_deuxieme_personne
    suivantes = max_(min_(personnes, adultes + 2) - 2, 0) * rsa.taux_personne_supplementaire
    return 1 + deuxieme + suivantes + max_(enfants - 2, 0) * rsa.taux_enfant_supplementaire


def taux_forfait_logement(personnes, rsa):
    """The housing allowance deducted from the right, as a multiple of the lump sum of a single person."""
    forfait = rsa.forfait_logement
    deux = 1 + rsa.taux_deuxieme_personne
    return select(
        [personnes <= 1, personnes <= 2],
        [forfait.une_personne, forfait.deux_personnes * deux],
        default=forfait.trois_personnes * (deux + rsa.taux_personne_supplementaire),
    )


class rsa_enfant_a_charge(Variable):
    value_type = bool
    entity = Individu
    label = "Enfant compté au foyer du RSA et de la prime d'activité"
    definition_period = MONTH
    set_input = set_input_dispatch_by_period
    reference = CASF

    def formula(individu, period, parameters):
        age = individu("age", period)
        jeune = (age >= 0) * (age < parameters(period).prestations.rsa.age_limite_enfant)
        return individu.has_role(Famille.ENFANT) * jeune


class rsa_nb_enfants(Variable):
    value_type = int
    entity = Famille
    label = "Nombre d'enfants comptés au foyer du RSA"
    definition_period = MONTH
    reference = CASF

    def formula(famille, period):
        return famille.sum(famille.members("rsa_enfant_a_charge", period))


class rsa_isolement_recent(Variable):
    value_type = bool
    entity = Famille
    label = "Parent isolé dont le plus jeune enfant n'a pas trois ans (majoration pour isolement)"
    documentation = "La majoration de douze mois qui suit une séparation récente n'est pas modélisée."
    definition_period = MONTH
    reference = CASF

    def formula(famille, period, parameters):
        limite = parameters(period).prestations.rsa.age_enfant_majoration
        a_charge = famille.members("rsa_enfant_a_charge", period)
        petit = famille.sum(a_charge * (famille.members("age", period) < limite)) > 0
        return petit * not_(famille("en_couple", period))


class rsa_revenu_activite(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "Revenus professionnels nets du foyer"
    definition_period = MONTH
    reference = CASF

    def formula(famille, period):
        return famille.sum(famille.members("salaire_net", period))


class rsa_prestations_comptees(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "Prestations familiales comptées dans les ressources : allocations hors majoration pour âge, complément familial hors majoration"
    definition_period = MONTH
    reference = CASF

    def formula(famille, period, parameters):
        prestations = parameters(period).prestations
        allocations = min_(famille("af", period), famille("af_base_taux_plein", period))
        return allocations + min_(famille("cf", period), prestations.bmaf * prestations.cf.taux)


class rsa_ressources(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "Ressources du foyer, forfait logement non compris"
    definition_period = MONTH
    reference = CASF

    def formula(famille, period):
        remplacement = famille.members("chomage_net", period) + famille.members("retraite_nette", period)
        return (
            famille("rsa_revenu_activite", period)
            + famille.sum(remplacement)
            + famille("rsa_prestations_comptees", period)
        )


class rsa_taux_forfait_logement(Variable):
    value_type = float
    entity = Famille
    unit = "/1"
    label = "Forfait logement, en part du montant de base"
    definition_period = MONTH
    reference = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000020526192"

    def formula(famille, period, parameters):
        personnes = famille.nb_persons(Famille.PARENT) + famille("rsa_nb_enfants", period)
        return taux_forfait_logement(personnes, parameters(period).prestations.rsa)


class loge_sans_charge(Variable):
    value_type = bool
    entity = Famille
    label = "Propriétaire sans prêt en cours ou logé gratuitement"
    definition_period = MONTH
    reference = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000020526192"

    def formula(famille, period):
        statut = famille.demandeur.menage("statut_occupation_logement", period)
        return (statut == TypesStatutOccupationLogement.proprietaire) + (statut == TypesStatutOccupationLogement.loge_gratuitement)


class rsa_taux_foyer(Variable):
    value_type = float
    entity = Famille
    unit = "/1"
    label = "Montant forfaitaire du foyer, en part du montant de base"
    definition_period = MONTH
    reference = CASF

    def formula(famille, period, parameters):
        rsa = parameters(period).prestations.rsa
        enfants = famille("rsa_nb_enfants", period)
        normal = taux_du_foyer(famille.nb_persons(Famille.PARENT), enfants, rsa)
        majore = rsa.taux_majore + rsa.taux_majore_enfant * enfants
        return where(famille("rsa_isolement_recent", period), majore, normal)


class rsa_forfait_logement(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "Forfait logement du RSA"
    documentation = "Entier sans charge de logement ; dans la limite de l'aide au logement perçue sinon."
    definition_period = MONTH
    reference = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000020526192"

    def formula(famille, period, parameters):
        forfait = parameters(period).prestations.rsa.montant_de_base * famille("rsa_taux_forfait_logement", period)
        return where(famille("loge_sans_charge", period), forfait, min_(famille("aide_logement", period), forfait))


class rsa(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "Revenu de solidarité active"
    documentation = "Jusqu'en 2015, RSA socle et RSA activité ensemble. Le recours est supposé entier et les droits ouverts."
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = CASF

    def formula(famille, period, parameters):
        regle = parameters(period).prestations.rsa
        assez_age = famille.members("age", period) >= regle.age_minimal
        eligible = (famille.sum(assez_age, role=Famille.PARENT) > 0) + (famille("rsa_nb_enfants", period) > 0)
        garanti = regle.montant_de_base * famille("rsa_taux_foyer", period) + regle.pente * famille("rsa_revenu_activite", period)
        montant = garanti - famille("rsa_ressources", period) - famille("rsa_forfait_logement", period)
        return where(eligible * (montant >= regle.minimum_verse), montant, 0)


class ppa_bonification(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "Bonification individuelle de la prime d'activité"
    definition_period = MONTH
    reference = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000037873473"

    def formula_2016_01_01(individu, period, parameters):
        parametres = parameters(period)
        ppa = parametres.prestations.ppa
        smic = parametres.smic.horaire_brut
        seuil = ppa.bonification.seuil * smic
        plafond = ppa.bonification.plafond * smic
        fraction = min_(max_((individu("salaire_net", period) - seuil) / (plafond - seuil), 0), 1)
        return ppa.montant_de_base * ppa.bonification.taux * fraction


class ppa(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "Prime d'activité"
    documentation = "Le recours est supposé entier. La condition de revenu propre aux étudiants n'est pas modélisée."
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = PRIME_ACTIVITE

    def formula_2016_01_01(famille, period, parameters):
        prestations = parameters(period).prestations
        ppa = prestations.ppa
        activite = famille("rsa_revenu_activite", period)
        majeur = famille.members("age", period) >= ppa.age_minimal
        eligible = (famille.sum(majeur, role=Famille.PARENT) > 0) * (activite > 0)
        forfaitaire = ppa.montant_de_base * famille("rsa_taux_foyer", period)
        logement = ppa.montant_de_base * famille("rsa_taux_forfait_logement", period)
        forfait_logement = where(famille("loge_sans_charge", period), logement, min_(famille("aide_logement", period), logement))
        ressources = famille("rsa_ressources", period) + forfait_logement
        bonifications = famille.sum(famille.members("ppa_bonification", period))
        montant = forfaitaire + bonifications + ppa.pente * activite - max_(forfaitaire, ressources)
        return where(eligible * (montant >= ppa.minimum_verse), montant, 0)


class crds_ppa(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "CRDS sur la prime d'activité"
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = "https://www.legifrance.gouv.fr/eli/ordonnance/1996/1/24/96-50/jo/texte"

    def formula_2016_01_01(famille, period, parameters):
        return 0 - parameters(period).prelevements_sociaux.crds * famille("ppa", period)


class minima_sociaux(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "Minima sociaux et prime d'activité nette de CRDS"
    definition_period = YEAR
    reference = CASF

    def formula(famille, period):
        return (
            famille("rsa", period, options=[ADD])
            + famille("ppa", period, options=[ADD])
            + famille("crds_ppa", period, options=[ADD])
        )
