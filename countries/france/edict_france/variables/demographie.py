"""Who the persons are: birth, age, civil status, activity, charge."""

from numpy import floor

from openfisca_core.model_api import *

from edict_france.entities import FoyerFiscal, Individu


class TypesStatutMarital(Enum):
    __order__ = "marie celibataire divorce veuf pacse"
    marie = "Marié"
    celibataire = "Célibataire"
    divorce = "Divorcé"
    veuf = "Veuf"
    pacse = "Pacsé"


class TypesActivite(Enum):
    __order__ = "actif chomeur etudiant retraite inactif"
    actif = "Actif occupé"
    chomeur = "Chômeur"
    etudiant = "Étudiant, élève"
    retraite = "Retraité"
    inactif = "Autre inactif"


class date_naissance(Variable):
    value_type = date
    default_value = date(1970, 1, 1)
    entity = Individu
    label = "Date de naissance"
    definition_period = ETERNITY
    reference = "https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006070721/"


class age(Variable):
    value_type = int
    entity = Individu
    unit = "years"
    label = "Âge révolu au premier jour du mois"
    documentation = "Négatif avant la naissance."
    definition_period = MONTH
    set_input = set_input_dispatch_by_period
    is_period_size_independent = True
    reference = "https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006070721/"

    def formula(individu, period):
        naissance = individu("date_naissance", period)
        mois_naissance = naissance.astype("datetime64[M]")
        jours_apres_le_premier = (naissance - mois_naissance).astype(int)
        mois_ecoules = (period.start.year - 1970) * 12 + period.start.month - 1 - mois_naissance.astype(int)
        mois_revolus = mois_ecoules - where(jours_apres_le_premier > 0, 1, 0)
        return floor(mois_revolus / 12)


class age_au_31_decembre(Variable):
    value_type = int
    entity = Individu
    unit = "years"
    label = "Âge révolu au 31 décembre de l'année"
    documentation = "L'âge au 1er décembre, plus un pour qui est né du 2 au 31 décembre."
    definition_period = YEAR
    reference = "https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006070721/"

    def formula(individu, period):
        naissance = individu("date_naissance", period)
        mois_naissance = naissance.astype("datetime64[M]")
        jours_apres_le_premier = (naissance - mois_naissance).astype(int)
        ne_fin_decembre = (mois_naissance.astype(int) % 12 == 11) * (jours_apres_le_premier > 0)
        return individu("age", period.first_month.offset(11, "month")) + where(ne_fin_decembre, 1, 0)


class statut_marital(Variable):
    value_type = Enum
    possible_values = TypesStatutMarital
    default_value = TypesStatutMarital.celibataire
    entity = Individu
    label = "Statut marital"
    documentation = "Un couple marié ou pacsé se reconnaît aux deux déclarants de son foyer fiscal ; le statut distingue les veufs."
    definition_period = MONTH
    set_input = set_input_dispatch_by_period
    reference = "https://www.service-public.fr/particuliers/vosdroits/F2705"


class activite(Variable):
    value_type = Enum
    possible_values = TypesActivite
    default_value = TypesActivite.inactif
    entity = Individu
    label = "Activité"
    documentation = "Un enfant majeur étudiant reste rattachable jusqu'à 25 ans."
    definition_period = MONTH
    set_input = set_input_dispatch_by_period
    reference = "https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006069577/"


class invalidite(Variable):
    value_type = bool
    entity = Individu
    label = "Titulaire de la carte d'invalidité (taux d'au moins 80 %)"
    definition_period = MONTH
    set_input = set_input_dispatch_by_period
    reference = "https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006069577/"


class garde_alternee(Variable):
    value_type = bool
    entity = Individu
    label = "Enfant en résidence alternée, à charge partagée par moitié"
    definition_period = MONTH
    set_input = set_input_dispatch_by_period
    reference = "https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006069577/"


class enfant_a_charge(Variable):
    value_type = bool
    entity = Individu
    label = "Enfant à charge du foyer fiscal"
    documentation = "Personne à charge née avant la fin de l'année, de moins de 21 ans au 1er janvier (25 ans si elle étudie), ou invalide."
    definition_period = YEAR
    reference = "https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006069577/"

    def formula(individu, period, parameters):
        ages = parameters(period).impot_revenu.enfant_a_charge
        age = individu("age", period.first_month)
        etudiant = individu("activite", period.first_month) == TypesActivite.etudiant
        jeune = (age < ages.age_rattachement) + etudiant * (age < ages.age_rattachement_etudiant)
        ne = individu("age_au_31_decembre", period) >= 0
        invalide = individu("invalidite", period.first_month)
        return individu.has_role(FoyerFiscal.PERSONNE_A_CHARGE) * ne * (jeune + invalide)
