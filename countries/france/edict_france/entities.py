"""Persons and the three groups the French rules know: family (benefits), tax household, dwelling."""

from openfisca_core.entities import build_entity

Individu = build_entity(
    key="individu",
    plural="individus",
    label="Personne",
    is_person=True,
)

Famille = build_entity(
    key="famille",
    plural="familles",
    label="Famille au sens des prestations familiales",
    doc="Un ou deux parents et leurs enfants. Les prestations lui sont versées.",
    roles=[
        {
            "key": "parent",
            "plural": "parents",
            "label": "Parents",
            "subroles": ["demandeur", "conjoint"],
        },
        {
            "key": "enfant",
            "plural": "enfants",
            "label": "Enfants",
        },
    ],
)

FoyerFiscal = build_entity(
    key="foyer_fiscal",
    plural="foyers_fiscaux",
    label="Foyer fiscal",
    doc="Les personnes qui figurent sur une même déclaration de revenus. Deux déclarants sont mariés ou pacsés.",
    roles=[
        {
            "key": "declarant",
            "plural": "declarants",
            "label": "Déclarants",
            "subroles": ["declarant_principal", "conjoint"],
        },
        {
            "key": "personne_a_charge",
            "plural": "personnes_a_charge",
            "label": "Personnes à charge",
        },
    ],
)

Menage = build_entity(
    key="menage",
    plural="menages",
    label="Ménage",
    doc="Les personnes qui partagent un même logement. Le revenu disponible est celui du ménage.",
    roles=[
        {
            "key": "personne_de_reference",
            "label": "Personne de référence",
            "max": 1,
        },
        {
            "key": "conjoint",
            "label": "Conjoint de la personne de référence",
            "max": 1,
        },
        {
            "key": "enfant",
            "plural": "enfants",
            "label": "Enfants",
        },
        {
            "key": "autre",
            "plural": "autres",
            "label": "Autres personnes du logement",
        },
    ],
)

entities = [Individu, Famille, FoyerFiscal, Menage]
