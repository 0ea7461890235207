from openfisca_core.entities import build_entity

Person = build_entity(key="person", plural="persons", label="A person", is_person=True)

Household = build_entity(
    key="household",
    plural="households",
    label="A household",
    roles=[
        {"key": "adult", "plural": "adults", "label": "Adults", "max": 2, "subroles": ["first_adult", "second_adult"]},
        {"key": "child", "plural": "children", "label": "Children"},
    ],
)

Animal = build_entity(key="animal", plural="animals", label="One that has no members", is_person=True)

entities = [Person, Household, Animal]
