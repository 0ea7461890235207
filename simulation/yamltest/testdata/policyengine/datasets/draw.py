"""Draws datasets for PolicyEngine's packages and writes them as HDF5 or CSV, in each layout that Microsimulation(dataset=…) reads.

    python draw.py us|uk OUT HOUSEHOLDS [LAYOUT] [SHAPE]

Layouts: time_period_arrays (variable/period), arrays (variable), flat_file (CSV, a row per person, variable__period), tables (pandas HDFStore, as
USSingleYearDataset and UKSingleYearDataset write it) and years (the same for two years). Shapes are those of SHAPES. The same arguments give the same values; the bytes of a
file depend on the versions of h5py, PyTables and pandas.
"""

import sys

import numpy as np

YEAR = {"us": 2024, "uk": 2025}

FIPS = [1, 2, 4, 5, 6, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 44, 45, 46, 47, 48, 49, 50, 51, 53, 54, 55, 56]
REGIONS = "NORTH_EAST NORTH_WEST YORKSHIRE EAST_MIDLANDS WEST_MIDLANDS EAST_OF_ENGLAND LONDON SOUTH_EAST SOUTH_WEST WALES SCOTLAND NORTHERN_IRELAND".split()

# Inputs besides ids, by entity: the share of rows that have one, and how large it is; for texts what they are drawn from. Persons below 16 have none
# but those in CHILDREN.
AMOUNTS = {
    "us": {
        "person": {
            "employment_income": (0.62, 45_000), "self_employment_income": (0.08, 25_000), "social_security_retirement": (0.12, 18_000), "social_security_disability": (0.03, 14_000),
            "taxable_private_pension_income": (0.1, 20_000), "taxable_ira_distributions": (0.05, 9_000), "long_term_capital_gains": (0.09, 20_000), "short_term_capital_gains": (0.03, 3_000),
            "qualified_dividend_income": (0.12, 4_000), "non_qualified_dividend_income": (0.05, 1_000), "taxable_interest_income": (0.3, 900), "tax_exempt_interest_income": (0.03, 1_500),
            "rental_income": (0.05, 8_000), "partnership_s_corp_income": (0.03, 40_000), "farm_income": (0.01, 5_000), "unemployment_compensation": (0.03, 6_000),
            "pre_subsidy_rent": (0.2, 11_000), "real_estate_taxes": (0.25, 3_500), "home_mortgage_interest": (0.15, 7_000), "other_medical_expenses": (0.5, 1_200),
            "health_insurance_premiums": (0.3, 2_000), "charitable_cash_donations": (0.15, 1_500), "student_loan_interest": (0.08, 900), "traditional_401k_contributions_desired": (0.2, 4_000),
            "child_support_received": (0.02, 4_000), "child_support_expense": (0.02, 4_000), "tip_income": (0.02, 6_000), "veterans_benefits": (0.02, 9_000), "ssi_reported": (0.02, 7_000),
            "bank_account_assets": (0.5, 8_000), "alimony_income": (0.01, 9_000), "qualified_tuition_expenses": (0.04, 7_000),
        },
        "spm_unit": {"spm_unit_pre_subsidy_childcare_expenses": (0.15, 6_000), "spm_unit_assets": (0.5, 9_000), "pre_subsidy_electricity_expense": (0.6, 900), "phone_cost": (0.5, 500)},
        "tax_unit": {},
        "household": {"household_vehicles_value": (0.6, 12_000), "net_worth": (0.8, 150_000)},
    },
    "uk": {
        "person": {
            "employment_income": (0.6, 27_000), "self_employment_income": (0.09, 17_000), "private_pension_income": (0.15, 9_000), "state_pension_reported": (0.17, 9_500), "savings_interest_income": (0.4, 300),
            "dividend_income": (0.12, 3_000), "property_income": (0.05, 8_000), "capital_gains_before_response": (0.04, 30_000), "employee_pension_contributions": (0.35, 1_800), "employer_pension_contributions": (0.35, 2_500),
            "personal_pension_contributions": (0.05, 2_000), "pension_contributions_via_salary_sacrifice": (0.1, 2_500), "gift_aid": (0.08, 300), "childcare_expenses": (0.04, 4_000), "maintenance_income": (0.02, 2_500),
            "hours_worked": (0.6, 1_500), "care_hours": (0.05, 20), "student_loan_balance": (0.15, 20_000), "student_loan_repayments": (0.12, 600), "universal_credit_reported": (0.08, 5_000), "child_benefit_reported": (0.12, 1_400), "esa_contrib_reported": (0.02, 5_000),
            "jsa_contrib_reported": (0.01, 2_000), "tax_free_savings_income": (0.05, 300), "miscellaneous_income": (0.02, 900), "private_transfer_income": (0.02, 2_000),
        },
        "benunit": {},
        "household": {
            "rent": (0.35, 8_000), "mortgage_interest_repayment": (0.28, 4_500), "mortgage_capital_repayment": (0.28, 5_000), "council_tax": (0.95, 1_500), "main_residence_value": (0.62, 280_000), "savings": (0.8, 9_000),
            "corporate_wealth": (0.5, 40_000), "net_financial_wealth": (0.7, 30_000), "gross_financial_wealth": (0.8, 45_000), "owned_land": (0.03, 20_000), "other_residential_property_value": (0.06, 150_000),
            "food_and_non_alcoholic_beverages_consumption": (0.98, 3_800), "alcohol_and_tobacco_consumption": (0.6, 800), "restaurants_and_hotels_consumption": (0.8, 2_000), "transport_consumption": (0.9, 4_000),
            "recreation_consumption": (0.9, 3_000), "housing_water_and_electricity_consumption": (0.95, 4_000), "electricity_consumption": (0.95, 900), "gas_consumption": (0.8, 800), "petrol_spending": (0.5, 900), "diesel_spending": (0.3, 900),
            "full_rate_vat_expenditure_rate": (1, 0.3), "num_bedrooms": (1, 2.5), "num_vehicles": (0.8, 1.2), "rail_usage": (0.3, 200), "dfe_education_spending": (0.3, 7_000),
        },
    },
}
FLAGS = {
    "us": {"person": {"is_disabled": 0.1, "is_female": 0.5, "is_hispanic": 0.18, "is_blind": 0.01, "has_esi": 0.4, "is_full_time_college_student": 0.05, "is_pregnant": 0.01}, "spm_unit": {"receives_housing_assistance": 0.06}, "tax_unit": {}, "household": {"is_rural": 0.2}},
    "uk": {"person": {"is_disabled_for_benefits": 0.12, "is_blind": 0.01, "uc_limited_capability_for_WRA": 0.05}, "benunit": {"would_claim_uc": 0.7, "would_claim_child_benefit": 0.9, "would_claim_pc": 0.7}, "household": {"is_shared_accommodation": 0.05, "household_owns_tv": 0.9, "property_purchased": 0.05}},
}
CHOICES = {
    "us": {"person": {"ssn_card_type": ["CITIZEN"] * 18 + ["NON_CITIZEN_VALID_EAD", "NONE"]}, "spm_unit": {"spm_unit_tenure_type": ["RENTER", "OWNER_WITH_MORTGAGE", "OWNER_WITHOUT_MORTGAGE"]}, "tax_unit": {}, "household": {"tenure_type": ["OWNED_OUTRIGHT", "OWNED_WITH_MORTGAGE", "RENTED"]}},
    "uk": {
        "person": {"pip_dl_category": ["NONE"] * 22 + ["STANDARD", "ENHANCED"], "pip_m_category": ["NONE"] * 22 + ["STANDARD", "ENHANCED"], "aa_category": ["NONE"] * 30 + ["LOWER", "HIGHER"], "gender": ["MALE", "FEMALE"], "student_loan_plan": ["NONE"] * 8 + ["PLAN_1", "PLAN_2", "PLAN_5"], "highest_education": ["UPPER_SECONDARY", "TERTIARY", "LOWER_SECONDARY"], "employment_status": ["FT_EMPLOYED", "PT_EMPLOYED", "FT_SELF_EMPLOYED", "UNEMPLOYED", "RETIRED", "STUDENT", "CHILD"]},
        "benunit": {},
        "household": {"tenure_type": ["RENT_FROM_COUNCIL", "RENT_FROM_HA", "RENT_PRIVATELY", "OWNED_OUTRIGHT", "OWNED_WITH_MORTGAGE"], "council_tax_band": list("ABCDEFGH"), "accommodation_type": ["HOUSE_DETACHED", "HOUSE_SEMI_DETACHED", "HOUSE_TERRACED", "FLAT"]},
    },
}
CHILDREN = {"is_female", "is_hispanic", "is_disabled", "gender", "is_disabled_for_benefits", "other_medical_expenses", "ssn_card_type", "has_esi"}
GROUPS = {"us": ["household", "tax_unit", "spm_unit", "family", "marital_unit"], "uk": ["household", "benunit"]}


def draw(country, households, seed=0):
    """Returns tables by entity: columns by name, each an array."""
    r = np.random.default_rng([seed, households, len(country), ord(country[1])])
    person = {"age": [], **{f"person_{g}_id": [] for g in GROUPS[country]}}
    counts = dict.fromkeys(GROUPS[country], 0)

    def member(age, **groups):
        person["age"].append(age)
        for g, number in groups.items():
            person[f"person_{g}_id"].append(number)

    for household in range(households):
        counts["household"] += 1
        first = True
        for _ in range(r.choice([1, 2, 3], p=[0.85, 0.12, 0.03])):
            old = r.random() < 0.22
            adults = [int(r.integers(63, 93) if old else r.integers(18, 66)) for _ in range(1 + (r.random() < 0.55))]
            children = [] if old else [int(r.integers(0, 18)) for _ in range(r.choice(6, p=[0.5, 0.2, 0.17, 0.08, 0.03, 0.02]))]
            if country == "us":
                unit, family = counts["tax_unit"], counts["family"]
                counts["tax_unit"] += 1
                counts["family"] += 1
                if first or r.random() < 0.4:
                    counts["spm_unit"] += 1
                for i, age in enumerate(adults + children):
                    if i != 1 or len(adults) == 1:
                        counts["marital_unit"] += 1
                    member(age, household=household, tax_unit=unit, spm_unit=counts["spm_unit"] - 1, family=family, marital_unit=counts["marital_unit"] - 1)
            else:
                unit = counts["benunit"]
                counts["benunit"] += 1
                for age in adults + children:
                    member(age, household=household, benunit=unit)
            first = False
    person = {name: np.array(values) for name, values in person.items()}
    person["age"] = person["age"].astype(np.float32)
    people = len(person["age"])
    person["person_id"] = np.arange(people)
    tables = {"person": person, **{g: {f"{g}_id": np.arange(n)} for g, n in counts.items()}}
    adult = person["age"] >= 16
    for entity in tables:
        n = people if entity == "person" else counts[entity]
        for name, (share, size) in AMOUNTS[country].get(entity, {}).items():
            values = np.where(r.random(n) < share, size * r.lognormal(-0.4, 0.9, n), 0)
            if name in ("self_employment_income", "rental_income", "partnership_s_corp_income"):
                values = np.where(r.random(n) < 0.1, -0.3 * values, values)
            if name == "full_rate_vat_expenditure_rate":
                values = np.minimum(values, 0.9)
            if entity == "person" and name not in CHILDREN:
                values = np.where(adult, values, 0)
            whole = name in ("num_bedrooms", "num_vehicles", "hours_worked", "care_hours")
            tables[entity][name] = (np.ceil(values) if whole else np.round(values, 2)).astype(np.float32)
        for name, share in FLAGS[country].get(entity, {}).items():
            values = r.random(n) < share
            tables[entity][name] = values & adult if entity == "person" and name not in CHILDREN else values
        for name, names in CHOICES[country].get(entity, {}).items():
            tables[entity][name] = np.array(names)[r.integers(0, len(names), n)].astype("S")
    household = tables["household"]
    household["household_weight"] = np.round(r.lognormal(8.6, 0.7, households), 1).astype(np.float32)
    if country == "us":
        person["cps_race"] = r.choice([1, 2, 3, 4], people, p=[0.75, 0.14, 0.03, 0.08]).astype(np.int32)
        household["state_fips"] = np.array(FIPS)[np.arange(households) % len(FIPS)].astype(np.int32)
        person["weekly_hours_worked"] = np.where(person["employment_income"] > 0, r.integers(8, 60, people), 0).astype(np.float32)
    else:
        household["region"] = np.array(REGIONS)[np.arange(households) % len(REGIONS)].astype("S")
    return tables


# Shapes: what is done to the tables of a small dataset; each returns the tables, and inputs by variable and period that are added or taken away.


def shuffled(tables, r, wide=False):
    """Puts all rows in any order, with ids that are not their positions."""
    ids = {}
    for entity, table in tables.items():
        n = len(table[f"{entity}_id"])
        ids[entity] = r.choice(10**9 if wide else 20 * n, n, replace=False)
        table[f"{entity}_id"] = ids[entity]
    for entity in tables:
        if entity != "person":
            column = f"person_{entity}_id"
            tables["person"][column] = ids[entity][tables["person"][column]]
    for table in tables.values():
        order = r.permutation(len(next(iter(table.values()))))
        for name in table:
            table[name] = table[name][order]
    return tables


def persons_shuffled(tables, r):
    order = r.permutation(len(tables["person"]["age"]))
    tables["person"] = {name: values[order] for name, values in tables["person"].items()}
    return tables


def groups_reversed(tables, r):
    return {entity: table if entity == "person" else {name: values[::-1] for name, values in table.items()} for entity, table in tables.items()}


def without(*names):
    def change(tables, r):
        for table in tables.values():
            for name in names:
                table.pop(name, None)
        return tables

    return change


def with_values(entity, name, value):
    def change(tables, r):
        table = tables[entity]
        n = len(table[f"{entity}_id"])
        table[name] = np.array(value(r, n))
        return tables

    return change


def typed(dtype):
    def change(tables, r):
        for table in tables.values():
            for name, values in table.items():
                if values.dtype == np.float32:
                    table[name] = np.round(values).astype(dtype) if np.dtype(dtype).kind == "i" else values.astype(dtype)
        return tables

    return change


def flags_as_integers(tables, r):
    return {e: {name: values.astype(np.int64) if values.dtype == bool else values for name, values in table.items()} for e, table in tables.items()}


def same(tables, r):
    return tables


SHAPES = {
    "plain": same,
    "any order": shuffled,
    "wide ids": lambda tables, r: shuffled(tables, r, wide=True),
    "persons shuffled": persons_shuffled,
    "groups reversed": groups_reversed,
    "no weights": without("household_weight"),
    "zero weights": with_values("household", "household_weight", lambda r, n: np.where(np.arange(n) % 3 == 0, 0, 1000).astype(np.float32)),
    "equal weights": with_values("household", "household_weight", lambda r, n: np.ones(n, np.float32)),
    "person weights": with_values("person", "person_weight", lambda r, n: r.random(n).astype(np.float32)),
    "unknown column": with_values("person", "shoe_size", lambda r, n: r.integers(20, 50, n)),
    "doubles": typed(np.float64),
    "integers": typed(np.int64),
    "flags as integers": flags_as_integers,
    "children alone": lambda tables, r: {**tables, "person": {**tables["person"], "age": (tables["person"]["age"] % 18).astype(np.float32)}},
    "very old": lambda tables, r: {**tables, "person": {**tables["person"], "age": (60 + tables["person"]["age"] % 60).astype(np.float32)}},
    "no income": lambda tables, r: {**tables, "person": {name: values * 0 if "income" in name or "gains" in name else values for name, values in tables["person"].items()}},
    "great fortunes": lambda tables, r: {**tables, "person": {name: values * np.float32(50) if "income" in name or "gains" in name else values for name, values in tables["person"].items()}},
    "ages only": lambda tables, r: {e: {name: values for name, values in table.items() if name.endswith(("_id", "age", "_weight", "state_fips", "region"))} for e, table in tables.items()},
    "two years": same,  # with ages, wages and weights for the year after, too
    "months": same,  # with values of a month
    "one household": same,
    "one person": lambda tables, r: tables,
}


def layouts(tables, country, shape, year):
    """Returns values by variable and period, where the layout has periods."""
    data = {name: {str(year): values} for table in tables.values() for name, values in table.items()}
    if shape == "two years":
        for name in ("age", "employment_income", "household_weight"):
            values = data[name][str(year)]
            data[name][str(year + 2)] = values + np.float32(2) if name == "age" else np.round(values * np.float32(1.11), 2)
    if shape == "months" and country == "us":
        data["is_in_medicaid_facility"] = {f"{year}-03": tables["person"]["age"] > 80}
    if shape == "months" and country == "uk":
        data["electricity_consumption_kwh"] = {f"{year}-{month:02}": tables["household"]["electricity_consumption"] for month in range(1, 13)}
    return data


def made(country, households, shape="plain"):
    r = np.random.default_rng(sorted(SHAPES).index(shape))
    count = {"one household": 1, "one person": 1}.get(shape, households)
    tables = draw(country, count, seed=sorted(SHAPES).index(shape))
    if shape == "one person":
        tables = {e: {name: values[:1] for name, values in table.items()} for e, table in tables.items()}
    return SHAPES[shape](tables, r)


def write(country, out, households, layout="time_period_arrays", shape="plain", year=None):
    import h5py
    import pandas as pd

    year = int(year or YEAR[country])
    tables = made(country, int(households), shape)
    if layout in ("tables", "years"):
        frames = {e: pd.DataFrame({name: values.astype(str).astype(object) if values.dtype.kind == "S" else values for name, values in table.items()}) for e, table in tables.items()}
        with pd.HDFStore(out, "w", complevel=9, complib="zlib") as store:
            for y in [year, year + 1] if layout == "years" else [None]:
                for e, frame in frames.items():
                    if y and y > year and e == "person":
                        frame = frame.assign(age=frame.age + 1, employment_income=np.round(frame.employment_income * np.float32(1.04), 2))
                    store.put(f"{e}/{y}" if y else e, frame, format="table", data_columns=True)
                name = "time_period" if country == "uk" else "_time_period"
                label = pd.Series([str(y or year)] if country == "uk" else [int(y or year)])
                store.put(f"time_period/{y}" if y else name, label, format="table")
        return
    data = layouts(tables, country, shape, year)
    if layout == "flat_file":
        person, columns = tables["person"], {}
        for entity, table in tables.items():
            rows = None
            if entity != "person":
                position = {number: i for i, number in enumerate(table[f"{entity}_id"].tolist())}
                rows = np.array([position[number] for number in person[f"person_{entity}_id"].tolist()])
            for name in table:
                for period, values in data[name].items():
                    values = values.astype(str) if values.dtype.kind == "S" else values
                    columns[f"{name}__{period}"] = values if rows is None else values[rows]
        pd.DataFrame(columns).to_csv(out, index=False)
        return
    with h5py.File(out, "w") as f:
        for name, periods in data.items():
            for period, values in periods.items():
                f.create_dataset(f"{name}/{period}" if layout == "time_period_arrays" else name, data=values, compression="gzip", compression_opts=9, shuffle=True)


if __name__ == "__main__":
    write(*sys.argv[1:])
