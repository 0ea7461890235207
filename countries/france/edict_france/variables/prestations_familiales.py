"""Family benefits: allocations familiales, complément familial, allocation de rentrée scolaire.

Their means test looks at the income of year N-2: a situation that gives no income for that year is taken as having had none.
"""

from openfisca_core.model_api import *

from edict_france.entities import Famille, Individu

CSS = "https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006073189/"
ALLOCATIONS_FAMILIALES = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000029963006"
COMPLEMENT_FAMILIAL = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000046499019"
RENTREE_SCOLAIRE = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000037951022"


class autonomie_financiere(Variable):
    value_type = bool
    entity = Individu
    label = "Enfant dont la rémunération dépasse le plafond des prestations familiales"
    definition_period = MONTH
    reference = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000006750602"

    def formula(individu, period, parameters):
        parametres = parameters(period)
        regle = parametres.prestations.enfant_a_charge
        plafond = regle.plafond_remuneration * regle.heures_smic * parametres.smic.horaire_brut
        agee = individu("age", period) >= regle.age_fin_obligation_scolaire
        return agee * (individu("salaire_net", period) > plafond)


class prestations_familiales_enfant_a_charge(Variable):
    value_type = bool
    entity = Individu
    label = "Enfant à charge au sens des prestations familiales"
    definition_period = MONTH
    set_input = set_input_dispatch_by_period
    reference = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000006750602"

    def formula(individu, period, parameters):
        age = individu("age", period)
        jeune = (age >= 0) * (age < parameters(period).prestations.enfant_a_charge.age_limite)
        return individu.has_role(Famille.ENFANT) * jeune * not_(individu("autonomie_financiere", period))


class af_nbenf(Variable):
    value_type = int
    entity = Famille
    label = "Nombre d'enfants à charge au sens des prestations familiales"
    definition_period = MONTH
    reference = CSS

    def formula(famille, period):
        return famille.sum(famille.members("prestations_familiales_enfant_a_charge", period))


class prestations_familiales_base_ressources(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "Ressources de la famille prises en compte pour les prestations : revenus nets catégoriels de l'année N-2"
    definition_period = YEAR
    reference = CSS

    def formula(famille, period):
        return famille.sum(famille.members("revenu_net_categoriel", period.n_2), role=Famille.PARENT)


class en_couple(Variable):
    value_type = bool
    entity = Famille
    label = "La famille compte deux parents"
    definition_period = MONTH
    reference = CSS

    def formula(famille, period):
        return famille.nb_persons(Famille.PARENT) > 1


class biactivite(Variable):
    value_type = bool
    entity = Famille
    label = "Chaque membre du couple avait en N-2 un revenu professionnel au moins égal au plancher"
    definition_period = YEAR
    reference = COMPLEMENT_FAMILIAL

    def formula(famille, period, parameters):
        parametres = parameters(period.n_2)
        plancher = parameters(period).prestations.plancher_biactivite * 12 * parametres.prelevements_sociaux.plafond_securite_sociale
        actif = famille.members("salaire_imposable", period.n_2, options=[ADD]) >= plancher
        return famille.sum(actif, role=Famille.PARENT) > 1


class af_base_taux_plein(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "Allocations familiales de base, avant modulation"
    definition_period = MONTH
    reference = ALLOCATIONS_FAMILIALES

    def formula(famille, period, parameters):
        prestations = parameters(period).prestations
        enfants = famille("af_nbenf", period)
        taux = (enfants >= 2) * prestations.af.taux_deux_enfants + max_(enfants - 2, 0) * prestations.af.taux_enfant_supplementaire
        return prestations.bmaf * taux


class af_majoration_taux_plein(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "Majorations pour âge des allocations familiales, avant modulation"
    documentation = "Due pour chaque enfant d'au moins 14 ans, sauf l'aîné d'une famille de deux enfants."
    definition_period = MONTH
    reference = ALLOCATIONS_FAMILIALES

    def formula(famille, period, parameters):
        prestations = parameters(period).prestations
        enfants = famille("af_nbenf", period)
        a_charge = famille.members("prestations_familiales_enfant_a_charge", period)
        assez_age = famille.members("age", period) >= prestations.af.age_majoration
        nombre = famille.sum(a_charge * assez_age)
        majores = where(enfants == 2, max_(nombre - 1, 0), nombre) * (enfants >= 2)
        return prestations.bmaf * prestations.af.taux_majoration_age * majores


class af_allocation_forfaitaire_taux_plein(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "Allocation forfaitaire des enfants de 20 ans, avant modulation"
    documentation = "Versée un an quand un enfant d'une famille d'au moins trois enfants atteint 20 ans."
    definition_period = MONTH
    reference = ALLOCATIONS_FAMILIALES

    def formula(famille, period, parameters):
        prestations = parameters(period).prestations
        vingt_ans = famille.members("age", period) == prestations.enfant_a_charge.age_limite
        autonome = famille.members("autonomie_financiere", period)
        nombre = famille.sum(vingt_ans * not_(autonome), role=Famille.ENFANT)
        ouvert = (famille("af_nbenf", period) + nombre >= 3) * (famille("af_nbenf", period) >= 1)
        return prestations.bmaf * prestations.af.taux_allocation_forfaitaire * nombre * ouvert


class af(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "Allocations familiales"
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = ALLOCATIONS_FAMILIALES

    def formula(famille, period):
        return (
            famille("af_base_taux_plein", period)
            + famille("af_majoration_taux_plein", period)
            + famille("af_allocation_forfaitaire_taux_plein", period)
        )

    def formula_2015_07_01(famille, period, parameters):
        modulation = parameters(period).prestations.af.modulation
        enfants = famille("af_nbenf", period)
        ressources = famille("prestations_familiales_base_ressources", period.this_year)
        plafond_1 = modulation.plafond_1 + modulation.majoration_par_enfant * enfants
        plafond_2 = modulation.plafond_2 + modulation.majoration_par_enfant * enfants
        fraction = select(
            [ressources <= plafond_1, ressources <= plafond_2],
            [1.0, modulation.fraction_tranche_2],
            default=modulation.fraction_tranche_3,
        )
        plein = (
            famille("af_base_taux_plein", period)
            + famille("af_majoration_taux_plein", period)
            + famille("af_allocation_forfaitaire_taux_plein", period)
        )
        module = fraction * plein
        # Just above a ceiling the reduction is smoothed: the excess, spread over the year, is what is lost.
        depassement = where(ressources > plafond_2, ressources - plafond_2, ressources - plafond_1) / 12
        complement = where(ressources > plafond_1, max_(module - depassement, 0), 0)
        return module + complement


class cf_nbenf(Variable):
    value_type = int
    entity = Famille
    label = "Nombre d'enfants qui ouvrent droit au complément familial"
    definition_period = MONTH
    reference = COMPLEMENT_FAMILIAL

    def formula(famille, period, parameters):
        regle = parameters(period).prestations.cf
        age = famille.members("age", period)
        compte = (age >= regle.age_minimal) * (age < regle.age_limite) * not_(famille.members("autonomie_financiere", period))
        return famille.sum(compte, role=Famille.ENFANT)


class cf_plafond(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "Plafond annuel de ressources du complément familial"
    definition_period = MONTH
    reference = COMPLEMENT_FAMILIAL

    def formula(famille, period, parameters):
        regle = parameters(period).prestations.cf
        # The ceiling counts every child of the family, those too young to open the right included.
        age = famille.members("age", period)
        a_charge = (age >= 0) * (age < regle.age_limite) * not_(famille.members("autonomie_financiere", period))
        enfants = famille.sum(a_charge, role=Famille.ENFANT)
        taux = (
            1
            + min_(enfants, 2) * regle.majoration_enfants_1_2
            + max_(enfants - 2, 0) * regle.majoration_enfant_3_et_suivants
        )
        majore = famille("biactivite", period.this_year) + not_(famille("en_couple", period))
        return regle.plafond * taux + regle.majoration_biactif_isole * majore


class cf(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "Complément familial"
    documentation = "Au-dessus du plafond, l'excédent annuel se déduit du complément de base."
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = COMPLEMENT_FAMILIAL

    def formula(famille, period, parameters):
        prestations = parameters(period).prestations
        ressources = famille("prestations_familiales_base_ressources", period.this_year)
        montant = prestations.bmaf * prestations.cf.taux * (famille("cf_nbenf", period) >= prestations.cf.nombre_enfants)
        exces = max_(ressources - famille("cf_plafond", period), 0) / 12
        return max_(montant - exces, 0)

    def formula_2014_04_01(famille, period, parameters):
        prestations = parameters(period).prestations
        ressources = famille("prestations_familiales_base_ressources", period.this_year)
        plafond = famille("cf_plafond", period)
        ouvert = famille("cf_nbenf", period) >= prestations.cf.nombre_enfants
        exces = max_(ressources - plafond, 0) / 12
        simple = max_(prestations.bmaf * prestations.cf.taux - exces, 0)
        majore = prestations.bmaf * prestations.cf.taux_majore
        return ouvert * where(ressources <= prestations.cf.fraction_plafond_majore * plafond, majore, simple)


class ars(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "Allocation de rentrée scolaire"
    definition_period = YEAR
    reference = RENTREE_SCOLAIRE

    def formula(famille, period, parameters):
        aout = period.first_month.offset(7, "month")
        septembre = period.first_month.offset(8, "month")
        prestations = parameters(aout).prestations
        regle = prestations.ars

        naissance = famille.members("date_naissance", period)
        mois_naissance = naissance.astype("datetime64[M]")
        jours_apres_le_premier = (naissance - mois_naissance).astype(int)
        fete_avant_le_15 = (mois_naissance.astype(int) % 12 == 8) * (jours_apres_le_premier > 0) * (jours_apres_le_premier < 15)
        age_au_15_septembre = famille.members("age", septembre) + where(fete_avant_le_15, 1, 0)
        age = famille.members("age_au_31_decembre", period)
        scolarise = (age >= regle.age_primaire) * (age_au_15_septembre < regle.age_limite)
        taux = select(
            [age < regle.age_college, age < regle.age_lycee],
            [regle.taux_primaire, regle.taux_college],
            default=regle.taux_lycee,
        )
        dus = scolarise * not_(famille.members("autonomie_financiere", septembre))
        montant = prestations.bmaf * famille.sum(dus * (taux + regle.taux_majoration_exceptionnelle), role=Famille.ENFANT)

        plafond = regle.plafond * (1 + regle.majoration_par_enfant * famille("af_nbenf", septembre))
        exces = max_(famille("prestations_familiales_base_ressources", period) - plafond, 0)
        verse = max_(montant - exces, 0)
        return where(verse < regle.minimum_verse, 0, verse)


class crds_pfam(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "CRDS sur les prestations familiales"
    definition_period = YEAR
    reference = "https://www.legifrance.gouv.fr/eli/ordonnance/1996/1/24/96-50/jo/texte"

    def formula(famille, period, parameters):
        taux = parameters(period).prelevements_sociaux.crds
        mensuelles = famille("af", period, options=[ADD]) + famille("cf", period, options=[ADD])
        return 0 - taux * (mensuelles + famille("ars", period))


class prestations_familiales(Variable):
    value_type = float
    entity = Famille
    unit = "currency"
    label = "Prestations familiales nettes de CRDS"
    definition_period = YEAR
    reference = CSS

    def formula(famille, period):
        mensuelles = famille("af", period, options=[ADD]) + famille("cf", period, options=[ADD])
        return mensuelles + famille("ars", period) + famille("crds_pfam", period)
