from policyengine_core.entities import build_entity

Person = build_entity(key="person", plural="people", label="Person", doc="", is_person=True)
Household = build_entity(
    key="household", plural="households", label="Household", doc="", roles=[{"key": "member", "plural": "members", "label": "Member"}]
)
TaxUnit = build_entity(
    key="tax_unit", plural="tax_units", label="Tax unit", doc="", roles=[{"key": "filer", "plural": "filers", "label": "Filer"}]
)
entities = [Person, Household, TaxUnit]
