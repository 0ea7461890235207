from openfisca_core.entities import build_entity

Person = build_entity(key="person", plural="persons", label="A person", is_person=True)

Household = build_entity(
    key="household",
    plural="households",
    label="Those who live together",
    roles=[
        {"key": "parent", "plural": "parents", "label": "Parents", "subroles": ["first_parent", "second_parent"]},
        {"key": "child", "plural": "children", "label": "Children"},
    ],
)

Club = build_entity(
    key="club",
    plural="clubs",
    label="Those who play together",
    roles=[{"key": "member", "plural": "members", "label": "Members"}],
)

entities = [Person, Household, Club]
