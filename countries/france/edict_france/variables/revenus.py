"""Income: wages, unemployment, pensions; gross, taxable and net of CSG and CRDS.

Each kind of income may be given gross (salaire_de_base, chomage_brut, retraite_brute) or taxable (salaire_imposable,
chomage_imposable, retraite_imposable). From the gross the taxable amount follows; from the taxable amount alone the
gross, which CSG and CRDS are levied on, is recovered by inverting the same rates. Levies are negative amounts, written
0 - x so that nothing levied is 0 and not -0.
"""

from openfisca_core.model_api import *

from edict_france.entities import FoyerFiscal, Individu

CSG = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000042683546"
CRDS = "https://www.legifrance.gouv.fr/eli/ordonnance/1996/1/24/96-50/jo/texte"


class TypesTauxCSGRemplacement(Enum):
    __order__ = "exonere taux_reduit taux_median taux_plein"
    exonere = "Exonéré"
    taux_reduit = "Taux réduit"
    taux_median = "Taux médian"
    taux_plein = "Taux plein"


def tranches_de_retenue(plafond, cotisations, csg):
    """Brackets of monthly gross pay and the marginal rate withheld before tax: contributions and deductible CSG.

    Returns (lower bound, upper bound, rate) in ascending order; the upper bound of the last one is None.
    """
    bornes = sorted([1, cotisations.plafond_tranche_2, cotisations.plafond_chomage, csg.abattement.plafond])
    tranches = []
    bas = 0
    for haut in bornes + [None]:
        if haut is not None and haut <= bas:
            continue
        taux = cotisations.vieillesse_deplafonnee + cotisations.maladie
        if bas < 1:
            taux += cotisations.vieillesse_plafonnee + cotisations.complementaire_tranche_1
        elif bas < cotisations.plafond_tranche_2:
            taux += cotisations.complementaire_tranche_2
        if bas < cotisations.plafond_chomage:
            taux += cotisations.assurance_chomage
        abattement = csg.abattement.taux if bas < csg.abattement.plafond else 0
        taux += csg.activite.deductible * (1 - abattement)
        tranches.append((bas * plafond, None if haut is None else haut * plafond, taux))
        bas = haut
    return tranches


def retenue_du_brut(brut, tranches):
    """What is withheld from a gross monthly wage."""
    retenue = brut * 0
    for bas, haut, taux in tranches:
        part = max_(brut - bas, 0)
        if haut is not None:
            part = min_(part, haut - bas)
        retenue = retenue + part * taux
    return retenue


def brut_de_imposable(imposable, tranches):
    """The gross monthly wage that leaves this taxable wage: the inverse of gross minus retenue_du_brut."""
    brut = imposable * 0
    reste_bas = 0
    for bas, haut, taux in tranches:
        part = max_(imposable - reste_bas, 0)
        if haut is not None:
            largeur = (haut - bas) * (1 - taux)
            part = min_(part, largeur)
            reste_bas += largeur
        brut = brut + part / (1 - taux)
    return brut


def assiette_csg(brut, plafond, abattement):
    """Gross income less the allowance for professional expenses, granted up to a number of ceilings."""
    return brut - abattement.taux * min_(brut, abattement.plafond * plafond)


class salaire_de_base(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "Salaire brut (salarié non cadre du secteur privé)"
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = "https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006072050/"


class salaire_imposable(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "Salaire imposable"
    documentation = "Se donne tel quel, ou se déduit du salaire brut : cotisations salariales et CSG déductible en moins."
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000032701943"

    def formula(individu, period, parameters):
        prelevements = parameters(period).prelevements_sociaux
        brut = individu("salaire_de_base", period)
        tranches = tranches_de_retenue(
            prelevements.plafond_securite_sociale, prelevements.cotisations_salariales, prelevements.csg
        )
        return brut - retenue_du_brut(brut, tranches)


class assiette_csg_salaire(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "Assiette de la CSG et de la CRDS sur le salaire"
    documentation = "Le salaire brut, donné ou reconstitué depuis le salaire imposable, moins l'abattement pour frais."
    definition_period = MONTH
    calculate_output = calculate_output_add
    reference = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000025013432/2011-12-23"

    def formula(individu, period, parameters):
        prelevements = parameters(period).prelevements_sociaux
        plafond = prelevements.plafond_securite_sociale
        donne = individu("salaire_de_base", period)
        tranches = tranches_de_retenue(plafond, prelevements.cotisations_salariales, prelevements.csg)
        reconstitue = brut_de_imposable(individu("salaire_imposable", period), tranches)
        brut = where(donne > 0, donne, reconstitue)
        return assiette_csg(brut, plafond, prelevements.csg.abattement)


class csg_imposable_salaire(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "CSG non déductible sur le salaire"
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = CSG

    def formula(individu, period, parameters):
        taux = parameters(period).prelevements_sociaux.csg.activite.imposable
        return 0 - taux * individu("assiette_csg_salaire", period)


class csg_deductible_salaire(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "CSG déductible sur le salaire (déjà retirée du salaire imposable)"
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = CSG

    def formula(individu, period, parameters):
        taux = parameters(period).prelevements_sociaux.csg.activite.deductible
        return 0 - taux * individu("assiette_csg_salaire", period)


class crds_salaire(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "CRDS sur le salaire"
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = CRDS

    def formula(individu, period, parameters):
        return 0 - parameters(period).prelevements_sociaux.crds * individu("assiette_csg_salaire", period)


class salaire_net(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "Salaire net à payer, avant impôt"
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = "https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006072050/"

    def formula(individu, period):
        imposable = individu("salaire_imposable", period)
        return imposable + individu("csg_imposable_salaire", period) + individu("crds_salaire", period)


def seuil(bareme, parts):
    """A threshold of reference income for a number of parts."""
    return bareme.part + bareme.demi_part * 2 * (parts - 1)


class rfr_n_2(Variable):
    value_type = float
    default_value = -1
    entity = FoyerFiscal
    unit = "currency"
    label = "Revenu fiscal de référence de l'avant-dernière année, porté sur l'avis d'impôt (-1 : inconnu)"
    documentation = "Détermine le taux de CSG des revenus de remplacement. Inconnu, il vaut taux plein."
    definition_period = YEAR
    reference = CSG


class taux_csg_remplacement(Variable):
    value_type = Enum
    possible_values = TypesTauxCSGRemplacement
    default_value = TypesTauxCSGRemplacement.taux_plein
    entity = Individu
    label = "Taux de CSG applicable aux revenus de remplacement"
    documentation = "Calculé depuis 2015, année où le seul revenu fiscal de référence l'a déterminé ; taux plein par défaut. Le nombre de parts est celui de l'année, non de l'avant-dernière."
    definition_period = YEAR
    reference = CSG

    def formula_2015_01_01(individu, period, parameters):
        seuils = parameters(period).prelevements_sociaux.csg.seuils
        rfr = individu.foyer_fiscal("rfr_n_2", period)
        parts = individu.foyer_fiscal("nbptr", period)
        connu = rfr >= 0
        return select(
            [connu * (rfr <= seuil(seuils.exoneration, parts)), connu * (rfr <= seuil(seuils.taux_reduit, parts))],
            [TypesTauxCSGRemplacement.exonere, TypesTauxCSGRemplacement.taux_reduit],
            default=TypesTauxCSGRemplacement.taux_plein,
        )

    def formula_2019_01_01(individu, period, parameters):
        seuils = parameters(period).prelevements_sociaux.csg.seuils
        rfr = individu.foyer_fiscal("rfr_n_2", period)
        parts = individu.foyer_fiscal("nbptr", period)
        connu = rfr >= 0
        return select(
            [
                connu * (rfr <= seuil(seuils.exoneration, parts)),
                connu * (rfr <= seuil(seuils.taux_reduit, parts)),
                connu * (rfr <= seuil(seuils.taux_median, parts)),
            ],
            [
                TypesTauxCSGRemplacement.exonere,
                TypesTauxCSGRemplacement.taux_reduit,
                TypesTauxCSGRemplacement.taux_median,
            ],
            default=TypesTauxCSGRemplacement.taux_plein,
        )


def taux_chomage(statut, csg, part):
    """Rate of one part (deductible, imposable) of the CSG on unemployment benefit. The median rate is for pensions only."""
    exonere = statut == TypesTauxCSGRemplacement.exonere
    reduit = statut == TypesTauxCSGRemplacement.taux_reduit
    return select([exonere, reduit], [0.0, csg.taux_reduit[part]], default=csg.taux_plein[part])


def taux_retraite(statut, csg, part, annee):
    """Rate of one part (deductible, imposable) of the CSG on pensions. Before 2019 there is no median rate but the full one."""
    taux_median = csg.taux_median[part] if annee >= 2019 else csg.taux_plein[part]
    exonere = statut == TypesTauxCSGRemplacement.exonere
    reduit = statut == TypesTauxCSGRemplacement.taux_reduit
    median = statut == TypesTauxCSGRemplacement.taux_median
    return select(
        [exonere, reduit, median],
        [0.0, csg.taux_reduit[part], taux_median],
        default=csg.taux_plein[part],
    )


class chomage_brut(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "Allocation de chômage brute"
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = "https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006072050/"


class chomage_imposable(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "Allocation de chômage imposable"
    documentation = "Se donne telle quelle, ou se déduit de l'allocation brute : CSG déductible en moins."
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = "https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006069577/"

    def formula(individu, period, parameters):
        prelevements = parameters(period).prelevements_sociaux
        brut = individu("chomage_brut", period)
        statut = individu("taux_csg_remplacement", period.this_year)
        assiette = assiette_csg(brut, prelevements.plafond_securite_sociale, prelevements.csg.abattement)
        return brut - taux_chomage(statut, prelevements.csg.chomage, "deductible") * assiette


class assiette_csg_chomage(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "Assiette de la CSG et de la CRDS sur l'allocation de chômage"
    documentation = "L'allocation brute, donnée ou reconstituée, moins l'abattement pour frais. La reconstitution suppose une allocation inférieure à quatre plafonds."
    definition_period = MONTH
    calculate_output = calculate_output_add
    reference = CSG

    def formula(individu, period, parameters):
        prelevements = parameters(period).prelevements_sociaux
        abattement = prelevements.csg.abattement
        statut = individu("taux_csg_remplacement", period.this_year)
        taux = taux_chomage(statut, prelevements.csg.chomage, "deductible")
        donne = individu("chomage_brut", period)
        reconstitue = individu("chomage_imposable", period) / (1 - taux * (1 - abattement.taux))
        brut = where(donne > 0, donne, reconstitue)
        return assiette_csg(brut, prelevements.plafond_securite_sociale, abattement)


class csg_imposable_chomage(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "CSG non déductible sur l'allocation de chômage"
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = CSG

    def formula(individu, period, parameters):
        statut = individu("taux_csg_remplacement", period.this_year)
        taux = taux_chomage(statut, parameters(period).prelevements_sociaux.csg.chomage, "imposable")
        return 0 - taux * individu("assiette_csg_chomage", period)


class crds_chomage(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "CRDS sur l'allocation de chômage"
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = CRDS

    def formula(individu, period, parameters):
        soumis = individu("taux_csg_remplacement", period.this_year) != TypesTauxCSGRemplacement.exonere
        return 0 - parameters(period).prelevements_sociaux.crds * soumis * individu("assiette_csg_chomage", period)


class chomage_net(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "Allocation de chômage nette"
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = "https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006072050/"

    def formula(individu, period):
        imposable = individu("chomage_imposable", period)
        return imposable + individu("csg_imposable_chomage", period) + individu("crds_chomage", period)


class retraite_brute(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "Pension de retraite brute"
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = "https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006073189/"


class retraite_imposable(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "Pension de retraite imposable"
    documentation = "Se donne telle quelle, ou se déduit de la pension brute : CSG déductible en moins."
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = "https://www.legifrance.gouv.fr/codes/article_lc/LEGIARTI000042158853"

    def formula(individu, period, parameters):
        statut = individu("taux_csg_remplacement", period.this_year)
        taux = taux_retraite(statut, parameters(period).prelevements_sociaux.csg.retraite, "deductible", period.start.year)
        return individu("retraite_brute", period) * (1 - taux)


class assiette_csg_retraite(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "Assiette de la CSG, de la CRDS et de la CASA sur la pension"
    documentation = "La pension brute, donnée ou reconstituée depuis la pension imposable, sans abattement."
    definition_period = MONTH
    calculate_output = calculate_output_add
    reference = CSG

    def formula(individu, period, parameters):
        statut = individu("taux_csg_remplacement", period.this_year)
        taux = taux_retraite(statut, parameters(period).prelevements_sociaux.csg.retraite, "deductible", period.start.year)
        donnee = individu("retraite_brute", period)
        return where(donnee > 0, donnee, individu("retraite_imposable", period) / (1 - taux))


class csg_imposable_retraite(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "CSG non déductible sur la pension"
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = CSG

    def formula(individu, period, parameters):
        statut = individu("taux_csg_remplacement", period.this_year)
        taux = taux_retraite(statut, parameters(period).prelevements_sociaux.csg.retraite, "imposable", period.start.year)
        return 0 - taux * individu("assiette_csg_retraite", period)


class crds_retraite(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "CRDS sur la pension"
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = CRDS

    def formula(individu, period, parameters):
        soumis = individu("taux_csg_remplacement", period.this_year) != TypesTauxCSGRemplacement.exonere
        return 0 - parameters(period).prelevements_sociaux.crds * soumis * individu("assiette_csg_retraite", period)


class casa(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "Contribution additionnelle de solidarité pour l'autonomie, sur la pension"
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = "https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006074069/"

    def formula(individu, period, parameters):
        statut = individu("taux_csg_remplacement", period.this_year)
        median = statut == TypesTauxCSGRemplacement.taux_median
        plein = statut == TypesTauxCSGRemplacement.taux_plein
        return 0 - parameters(period).prelevements_sociaux.casa * (median + plein) * individu("assiette_csg_retraite", period)


class retraite_nette(Variable):
    value_type = float
    entity = Individu
    unit = "currency"
    label = "Pension de retraite nette"
    definition_period = MONTH
    set_input = set_input_divide_by_period
    calculate_output = calculate_output_add
    reference = "https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006073189/"

    def formula(individu, period):
        prelevements = individu("csg_imposable_retraite", period) + individu("crds_retraite", period) + individu("casa", period)
        return individu("retraite_imposable", period) + prelevements
