"""Income tax. The variables of year N are the tax on the income of year N, whatever the year it is collected."""

from openfisca_core.model_api import *

from edict_france.entities import FoyerFiscal, Individu
from edict_france.variables.demographie import TypesStatutMarital

ARTICLE_157_BIS = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000042158963"
ARTICLE_158 = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000042158853"
ARTICLE_197 = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000046860759"
CODE_GENERAL_DES_IMPOTS = "https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006069577/"


class salaires_nets_de_frais(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "Salaires et allocations de chômage, déduction forfaitaire de 10 % faite"
    definition_period = YEAR
    reference = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000032701943"

    def formula(individu, period, parameters):
        deduction = parameters(period).impot_revenu.deduction_salaires
        revenu = individu("salaire_imposable", period, options=[ADD]) + individu("chomage_imposable", period, options=[ADD])
        frais = min_(max_(deduction.taux * revenu, deduction.minimum), deduction.maximum)
        return max_(revenu - frais, 0)


class abattement_pensions_individuel(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "Abattement de 10 % sur les pensions, avant le plafond du foyer"
    definition_period = YEAR
    reference = ARTICLE_158

    def formula(individu, period, parameters):
        deduction = parameters(period).impot_revenu.deduction_pensions
        pension = individu("retraite_imposable", period, options=[ADD])
        return min_(max_(deduction.taux * pension, deduction.minimum), max_(pension, 0))


class abattement_pensions_foyer(Variable):
    value_type = float
    entity = FoyerFiscal
    unit = "currency"
    label = "Somme des abattements individuels sur les pensions, avant le plafond du foyer"
    definition_period = YEAR
    reference = ARTICLE_158

    def formula(foyer_fiscal, period):
        return foyer_fiscal.sum(foyer_fiscal.members("abattement_pensions_individuel", period))


class pensions_nettes_d_abattement(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "Pensions imposables, abattement de 10 % fait"
    documentation = "Le plafond de l'abattement vaut pour le foyer fiscal : il se répartit entre ses pensionnés en proportion de leur abattement."
    definition_period = YEAR
    reference = ARTICLE_158

    def formula(individu, period, parameters):
        maximum = parameters(period).impot_revenu.deduction_pensions.maximum
        abattement = individu("abattement_pensions_individuel", period)
        total = individu.foyer_fiscal("abattement_pensions_foyer", period)
        return individu("retraite_imposable", period, options=[ADD]) - abattement * maximum / max_(total, maximum)


class revenu_net_categoriel(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "Revenus nets catégoriels d'une personne"
    definition_period = YEAR
    reference = ARTICLE_158

    def formula(individu, period):
        return individu("salaires_nets_de_frais", period) + individu("pensions_nettes_d_abattement", period)


class rng(Variable):
    value_type = float
    entity = FoyerFiscal
    unit = "currency"
    label = "Revenu net global du foyer fiscal"
    definition_period = YEAR
    reference = ARTICLE_158

    def formula(foyer_fiscal, period):
        return foyer_fiscal.sum(foyer_fiscal.members("revenu_net_categoriel", period))


class abat_spe(Variable):
    value_type = float
    entity = FoyerFiscal
    unit = "currency"
    label = "Abattement des contribuables âgés ou invalides"
    definition_period = YEAR
    reference = ARTICLE_157_BIS

    def formula(foyer_fiscal, period, parameters):
        impot = parameters(period).impot_revenu
        revenu = foyer_fiscal("rng", period)
        age = foyer_fiscal.members("age_au_31_decembre", period)
        invalide = foyer_fiscal.members("invalidite", period.first_month)
        ayants_droit = foyer_fiscal.sum((age >= impot.age_abattement) + invalide, role=FoyerFiscal.DECLARANT)
        return min_(ayants_droit * impot.abattement_ages.calc(revenu, right=True), revenu)


class rni(Variable):
    value_type = float
    entity = FoyerFiscal
    unit = "currency"
    label = "Revenu net imposable"
    definition_period = YEAR
    reference = CODE_GENERAL_DES_IMPOTS

    def formula(foyer_fiscal, period):
        return foyer_fiscal("rng", period) - foyer_fiscal("abat_spe", period)


class rfr(Variable):
    value_type = float
    entity = FoyerFiscal
    unit = "currency"
    label = "Revenu fiscal de référence"
    documentation = "Égal au revenu net imposable : le modèle n'a ni revenu exonéré ni charge déductible à réintégrer."
    definition_period = YEAR
    reference = CODE_GENERAL_DES_IMPOTS

    def formula(foyer_fiscal, period):
        return foyer_fiscal("rni", period)


class caseT(Variable):
    value_type = bool
    entity = FoyerFiscal
    label = "Case T de la déclaration : le contribuable vit seul et élève seul ses enfants"
    definition_period = YEAR
    reference = "https://www.service-public.fr/particuliers/vosdroits/F2702"


class maries_ou_pacses(Variable):
    value_type = bool
    entity = FoyerFiscal
    label = "Couple soumis à imposition commune"
    documentation = "Vrai quand le foyer fiscal a deux déclarants."
    definition_period = YEAR
    reference = CODE_GENERAL_DES_IMPOTS

    def formula(foyer_fiscal, period):
        return foyer_fiscal.nb_persons(FoyerFiscal.DECLARANT) > 1


class nb_enfants_charge_exclusive(Variable):
    value_type = int
    entity = FoyerFiscal
    label = "Nombre d'enfants à charge exclusive ou principale"
    definition_period = YEAR
    reference = CODE_GENERAL_DES_IMPOTS

    def formula(foyer_fiscal, period):
        a_charge = foyer_fiscal.members("enfant_a_charge", period)
        alternee = foyer_fiscal.members("garde_alternee", period.first_month)
        return foyer_fiscal.sum(a_charge * not_(alternee))


class nb_enfants_residence_alternee(Variable):
    value_type = int
    entity = FoyerFiscal
    label = "Nombre d'enfants en résidence alternée"
    definition_period = YEAR
    reference = CODE_GENERAL_DES_IMPOTS

    def formula(foyer_fiscal, period):
        a_charge = foyer_fiscal.members("enfant_a_charge", period)
        alternee = foyer_fiscal.members("garde_alternee", period.first_month)
        return foyer_fiscal.sum(a_charge * alternee)


class veuf_avec_enfant(Variable):
    value_type = bool
    entity = FoyerFiscal
    label = "Veuf qui a un enfant à charge"
    definition_period = YEAR
    reference = CODE_GENERAL_DES_IMPOTS

    def formula(foyer_fiscal, period):
        enfants = foyer_fiscal("nb_enfants_charge_exclusive", period) + foyer_fiscal("nb_enfants_residence_alternee", period)
        veuf = foyer_fiscal.declarant_principal("statut_marital", period.first_month) == TypesStatutMarital.veuf
        return veuf * (enfants > 0) * not_(foyer_fiscal("maries_ou_pacses", period))


class parent_isole_fiscal(Variable):
    value_type = bool
    entity = FoyerFiscal
    label = "Parent isolé au sens du quotient familial"
    definition_period = YEAR
    reference = CODE_GENERAL_DES_IMPOTS

    def formula(foyer_fiscal, period):
        enfants = foyer_fiscal("nb_enfants_charge_exclusive", period) + foyer_fiscal("nb_enfants_residence_alternee", period)
        couple_ou_veuf = foyer_fiscal("maries_ou_pacses", period) + foyer_fiscal("veuf_avec_enfant", period)
        return foyer_fiscal("caseT", period) * (enfants > 0) * not_(couple_ou_veuf)


class parts_invalidite(Variable):
    value_type = float
    entity = FoyerFiscal
    unit = "part"
    label = "Parts accordées pour invalidité"
    definition_period = YEAR
    reference = CODE_GENERAL_DES_IMPOTS

    def formula(foyer_fiscal, period, parameters):
        quotient = parameters(period).impot_revenu.quotient_familial
        invalide = foyer_fiscal.members("invalidite", period.first_month)
        a_charge = foyer_fiscal.members("enfant_a_charge", period)
        alternee = foyer_fiscal.members("garde_alternee", period.first_month)
        declarants = foyer_fiscal.sum(invalide, role=FoyerFiscal.DECLARANT)
        enfants = foyer_fiscal.sum(invalide * a_charge * where(alternee, quotient.residence_alternee, 1))
        return declarants * quotient.invalidite_declarant + enfants * quotient.invalidite_enfant


class nbptr(Variable):
    value_type = float
    entity = FoyerFiscal
    unit = "part"
    label = "Nombre de parts du quotient familial"
    definition_period = YEAR
    reference = CODE_GENERAL_DES_IMPOTS

    def formula(foyer_fiscal, period, parameters):
        quotient = parameters(period).impot_revenu.quotient_familial
        exclusifs = foyer_fiscal("nb_enfants_charge_exclusive", period)
        alternes = foyer_fiscal("nb_enfants_residence_alternee", period)

        def parts_enfants(nombre):
            premiers = (nombre >= 1) * quotient.enfant_1 + (nombre >= 2) * quotient.enfant_2
            return premiers + max_(nombre - 2, 0) * quotient.enfant_3_et_suivants

        # Children in shared residence rank after the others and bring half of what they would bring alone.
        partagees = parts_enfants(exclusifs + alternes) - parts_enfants(exclusifs)
        enfants = parts_enfants(exclusifs) + quotient.residence_alternee * partagees
        fraction_isole = where(exclusifs > 0, 1, quotient.residence_alternee * min_(alternes, 2))
        return (
            1
            + foyer_fiscal("maries_ou_pacses", period) * quotient.conjoint
            + foyer_fiscal("veuf_avec_enfant", period) * quotient.veuf
            + foyer_fiscal("parent_isole_fiscal", period) * fraction_isole * quotient.parent_isole
            + enfants
            + foyer_fiscal("parts_invalidite", period)
        )


class ir_brut(Variable):
    value_type = float
    entity = FoyerFiscal
    unit = "currency"
    label = "Impôt au barème, avec toutes les parts, avant plafonnement"
    definition_period = YEAR
    reference = ARTICLE_197

    def formula(foyer_fiscal, period, parameters):
        parts = foyer_fiscal("nbptr", period)
        return parts * parameters(period).impot_revenu.bareme.calc(foyer_fiscal("rni", period) / parts)


class ir_ss_qf(Variable):
    value_type = float
    entity = FoyerFiscal
    unit = "currency"
    label = "Impôt au barème, avec les seules parts des déclarants"
    definition_period = YEAR
    reference = ARTICLE_197

    def formula(foyer_fiscal, period, parameters):
        adultes = where(foyer_fiscal("maries_ou_pacses", period), 2, 1)
        return adultes * parameters(period).impot_revenu.bareme.calc(foyer_fiscal("rni", period) / adultes)


class avantage_maximal_qf(Variable):
    value_type = float
    entity = FoyerFiscal
    unit = "currency"
    label = "Avantage maximal en impôt tiré des parts qui s'ajoutent à celles des déclarants"
    definition_period = YEAR
    reference = ARTICLE_197

    def formula(foyer_fiscal, period, parameters):
        plafonds = parameters(period).impot_revenu.plafond_quotient_familial
        adultes = where(foyer_fiscal("maries_ou_pacses", period), 2, 1)
        demi_parts = 2 * (foyer_fiscal("nbptr", period) - adultes)
        isole = foyer_fiscal("parent_isole_fiscal", period)
        # The first child of a lone parent brings a whole part with a cap of its own (half of it per child in shared residence).
        alternes = min_(foyer_fiscal("nb_enfants_residence_alternee", period), 2)
        demi_parts_isole = isole * where(foyer_fiscal("nb_enfants_charge_exclusive", period) > 0, 2, alternes)
        autres = demi_parts - demi_parts_isole
        return plafonds.parent_isole * demi_parts_isole / 2 + plafonds.demi_part * autres


class ir_plaf_qf(Variable):
    value_type = float
    entity = FoyerFiscal
    unit = "currency"
    label = "Impôt après plafonnement du quotient familial"
    definition_period = YEAR
    reference = ARTICLE_197

    def formula(foyer_fiscal, period, parameters):
        plafonds = parameters(period).impot_revenu.plafond_quotient_familial
        sans_plafond = foyer_fiscal("ir_brut", period)
        plafonne = max_(sans_plafond, foyer_fiscal("ir_ss_qf", period) - foyer_fiscal("avantage_maximal_qf", period))
        complement = (
            plafonds.complement_invalidite * 2 * foyer_fiscal("parts_invalidite", period)
            + plafonds.complement_veuf * foyer_fiscal("veuf_avec_enfant", period)
        )
        return plafonne - min_(complement, plafonne - sans_plafond)


class decote(Variable):
    value_type = float
    entity = FoyerFiscal
    unit = "currency"
    label = "Décote"
    definition_period = YEAR
    reference = ARTICLE_197

    def formula(foyer_fiscal, period, parameters):
        decote = parameters(period).impot_revenu.decote
        impot = foyer_fiscal("ir_plaf_qf", period)
        montant = where(foyer_fiscal("maries_ou_pacses", period), decote.couple, decote.celibataire)
        return min_(max_(montant - decote.taux * impot, 0), impot)


class reduction_ss_condition_revenus(Variable):
    value_type = float
    entity = FoyerFiscal
    unit = "currency"
    label = "Réduction d'impôt des foyers modestes (revenus 2016 à 2019)"
    definition_period = YEAR
    end = "2019-12-31"
    reference = ARTICLE_197

    def formula_2016_01_01(foyer_fiscal, period, parameters):
        reduction = parameters(period).impot_revenu.reduction_revenus_modestes
        impot = foyer_fiscal("ir_plaf_qf", period) - foyer_fiscal("decote", period)
        adultes = where(foyer_fiscal("maries_ou_pacses", period), 2, 1)
        majoration = reduction.majoration_demi_part * 2 * (foyer_fiscal("nbptr", period) - adultes)
        seuil = reduction.seuil * adultes + majoration
        plafond = reduction.plafond * adultes + majoration
        fraction = min_(max_((plafond - foyer_fiscal("rfr", period)) / (plafond - seuil), 0), 1)
        return reduction.taux * fraction * impot


class reduction_exceptionnelle(Variable):
    value_type = float
    entity = FoyerFiscal
    unit = "currency"
    label = "Réduction exceptionnelle d'impôt (revenus 2013)"
    definition_period = YEAR
    end = "2013-12-31"
    reference = "https://www.legifrance.gouv.fr/eli/loi/2014/8/8/2014-891/jo/texte"

    def formula_2013_01_01(foyer_fiscal, period, parameters):
        reduction = parameters(period).impot_revenu.reduction_exceptionnelle
        impot = foyer_fiscal("ir_plaf_qf", period) - foyer_fiscal("decote", period)
        adultes = where(foyer_fiscal("maries_ou_pacses", period), 2, 1)
        seuil = reduction.seuil * adultes + reduction.majoration_demi_part * 2 * (foyer_fiscal("nbptr", period) - adultes)
        depassement = max_(foyer_fiscal("rfr", period) - seuil, 0)
        return min_(max_(reduction.montant * adultes - depassement, 0), impot)


class ip_net(Variable):
    value_type = float
    entity = FoyerFiscal
    unit = "currency"
    label = "Impôt sur le revenu mis en recouvrement"
    documentation = "Sans arrondi à l'euro. Nul en dessous du minimum de mise en recouvrement."
    definition_period = YEAR
    reference = CODE_GENERAL_DES_IMPOTS

    def formula(foyer_fiscal, period, parameters):
        impot = foyer_fiscal("ir_plaf_qf", period) - foyer_fiscal("decote", period)
        reductions = foyer_fiscal("reduction_ss_condition_revenus", period) + foyer_fiscal("reduction_exceptionnelle", period)
        net = impot - reductions
        return where(net < parameters(period).impot_revenu.minimum_recouvrement, 0, net)


class contribution_exceptionnelle_hauts_revenus(Variable):
    value_type = float
    entity = FoyerFiscal
    unit = "currency"
    label = "Contribution exceptionnelle sur les hauts revenus"
    definition_period = YEAR
    reference = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000025049027/2011-12-30"

    def formula(foyer_fiscal, period, parameters):
        cehr = parameters(period).cehr
        rfr = foyer_fiscal("rfr", period)
        return where(foyer_fiscal("maries_ou_pacses", period), cehr.couple.calc(rfr), cehr.celibataire.calc(rfr))


class irpp(Variable):
    value_type = float
    entity = FoyerFiscal
    unit = "currency"
    label = "Impôt sur le revenu et contribution sur les hauts revenus (montant négatif)"
    definition_period = YEAR
    reference = ARTICLE_197

    def formula(foyer_fiscal, period):
        return 0 - (foyer_fiscal("ip_net", period) + foyer_fiscal("contribution_exceptionnelle_hauts_revenus", period))
