"""Draws households for PolicyEngine's packages: requests in the form of POST /us/calculate, a line of JSON each.

    python draw.py us|uk|canada [COUNT]

The same country and count give the same households. A request has a kind (see KINDS), a household with null where a value is wanted, and for
some kinds a policy. Most have one household; "several" has more in one request.
"""

import json
import random
import sys

STATES = (
    "AL AK AZ AR CA CO CT DC DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY".split()
)
REGIONS = "NORTH_EAST NORTH_WEST YORKSHIRE EAST_MIDLANDS WEST_MIDLANDS EAST_OF_ENGLAND LONDON SOUTH_EAST SOUTH_WEST WALES SCOTLAND NORTHERN_IRELAND".split()
PROVINCES = "AB BC MB NB NL NS NT NU ONT PE QC SK YT".split()

# Outputs by entity; every request wants the first ones and a draw of the others.
OUTPUTS = {
    "us": {
        "people": "employment_income adjusted_gross_income_person earned_income social_security taxable_social_security payroll_tax_gross_wages employee_social_security_tax employee_medicare_tax self_employment_tax ssi medicaid is_medicaid_eligible medicaid_category marginal_tax_rate capital_gains self_employment_income long_term_capital_gains irs_gross_income is_tax_unit_head is_tax_unit_dependent ctc_qualifying_child is_ssi_eligible qualified_business_income_deduction_person medicare_cost taxable_pension_income".split(),
        "tax_units": "income_tax adjusted_gross_income filing_status taxable_income ctc eitc standard_deduction income_tax_before_credits income_tax_refundable_credits state_income_tax alternative_minimum_tax capital_gains_tax net_investment_income_tax itemized_taxable_income_deductions cdcc american_opportunity_credit refundable_ctc aca_ptc tax_unit_size state_agi household_state_income_tax eitc_eligible salt_deduction".split(),
        "spm_units": "snap tanf spm_unit_net_income spm_unit_is_in_spm_poverty spm_unit_spm_threshold free_school_meals spm_unit_fpg housing_assistance is_snap_eligible snap_normal_allotment spm_unit_capped_housing_subsidy".split(),
        "households": "household_net_income household_tax household_benefits household_market_income household_state_benefits state_code state_code_str household_size household_refundable_tax_credits household_tax_before_refundable_credits state_name".split(),
        "monthly": [("spm_units", "snap"), ("people", "ssi"), ("people", "is_ssi_eligible"), ("spm_units", "snap_gross_income"), ("spm_units", "is_snap_eligible"), ("people", "wic")],
    },
    "uk": {
        "people": "income_tax national_insurance total_income adjusted_net_income personal_allowance taxable_pension_income state_pension capital_gains_tax marginal_tax_rate dividend_income_tax savings_income_tax student_loan_repayment marriage_allowance carers_allowance pip attendance_allowance ni_employee ni_employer ni_class_4 pension_contributions_relief earned_income_tax CB_HITC net_income tax tax_band employment_income capital_gains".split(),
        "benunits": "universal_credit child_benefit pension_credit housing_benefit uc_maximum_amount uc_income_reduction uc_standard_allowance uc_child_element uc_housing_costs_element benefit_cap_reduction working_tax_credit child_tax_credit income_support benunit_tax is_couple num_children benunit_rent uc_earned_income uc_childcare_element uc_tariff_income child_benefit_entitlement uc_LCWRA_element".split(),
        "households": "household_net_income hbai_household_net_income household_tax household_benefits gov_tax gov_spending council_tax_less_benefit household_market_income in_poverty_bhc in_deep_poverty_ahc poverty_gap_bhc equiv_hbai_household_net_income equiv_hbai_household_net_income_ahc housing_costs vat fuel_duty stamp_duty_land_tax tv_licence winter_fuel_allowance household_wealth_decile net_wealth shareholding total_wealth hbai_household_net_income_ahc corporate_sdlt country".split(),
        "monthly": [("people", "ni_class_1_employee"), ("households", "fuel_duty"), ("people", "child_benefit_respective_amount"), ("households", "monthly_epg_subsidy")],
    },
    "canada": {
        "people": "income_tax_before_credits individual_net_income basic_personal_amount canada_employment_amount oas_net oas_pre_repayment training_credit age_amount_credit dental_benefit child_care_expense_deduction_person on_income_tax_before_credits qc_taxable_income marginal_tax_rate ab_age_credit bc_climate_action_tax_credit_person disability_tax_credit is_dependant non_refundable_tax_credits mb_income_tax_before_credits sk_age_amount gst_credit_category income_tax_before_refundable_credits nt_taxable_income".split(),
        "households": "household_net_income income_tax household_benefits child_benefit gst_credit canada_workers_benefit climate_action_incentive on_trillium_benefit on_child_benefit qc_fa_credit qc_sa_tax_credit qc_work_premium_credit alberta_child_and_family_benefit bc_family_benefit mb_child_benefit nb_benefits ns_child_benefit nu_child_benefit yt_child_benefit sk_low_income_credit household_refundable_tax_credits family_net_income child_disability_benefit is_married province_str province_code household_market_income cwb_base oeptc on_sales_tax_credit nb_child_benefit".split(),
        "monthly": [],
    },
}
FIRST = {"us": ["household_net_income", "income_tax", "snap"], "uk": ["household_net_income", "income_tax", "universal_credit"], "canada": ["household_net_income", "income_tax", "child_benefit"]}

# Inputs that some persons or groups have, by benefit situation: a name, and a function that draws a value.
AMOUNT = {"small": (0, 3000), "middle": (200, 15000), "large": (1000, 120000), "huge": (50000, 3000000)}


def amount(r, size="middle"):
    low, high = AMOUNT[size]
    value = low + (high - low) * r.random() ** 2
    return r.choice([round(value), round(value, -2), round(value, 2)])


def flag(r):
    return r.random() < 0.85


def sized(size):
    return lambda r: amount(r, size)


def one_of(*values):
    return lambda r: r.choice(values)


MIDDLE, SMALL, LARGE = sized("middle"), sized("small"), sized("large")

SITUATIONS = {
    "us": {
        "pension": {"people": {"social_security_retirement": LARGE, "taxable_private_pension_income": LARGE, "taxable_ira_distributions": MIDDLE, "tax_exempt_interest_income": SMALL}},
        "disabled": {"people": {"is_disabled": flag, "social_security_disability": MIDDLE, "ssi_reported": SMALL, "is_blind": flag, "meets_ssi_disability_criteria": flag}},
        "self-employed": {"people": {"self_employment_income": LARGE, "w2_wages_from_qualified_business": MIDDLE, "health_insurance_premiums": SMALL, "self_employed_pension_contributions_desired": MIDDLE}},
        "gains": {"people": {"long_term_capital_gains": LARGE, "short_term_capital_gains": MIDDLE, "qualified_dividend_income": MIDDLE, "taxable_interest_income": MIDDLE}},
        "losses": {"people": {"long_term_capital_gains": lambda r: -amount(r), "self_employment_income": lambda r: -amount(r)}},
        "landlord": {"people": {"rental_income": MIDDLE, "partnership_s_corp_income": MIDDLE, "farm_income": SMALL}},
        "renter": {"people": {"pre_subsidy_rent": MIDDLE}, "spm_units": {"gas_expense": SMALL, "phone_cost": SMALL, "pre_subsidy_electricity_expense": SMALL, "receives_housing_assistance": flag}},
        "owner": {"people": {"real_estate_taxes": MIDDLE, "home_mortgage_interest": MIDDLE}, "spm_units": {"homeowners_insurance": SMALL}, "households": {"household_vehicles_value": MIDDLE}},
        "giver": {"people": {"charitable_cash_donations": MIDDLE, "alimony_expense": SMALL, "educator_expense": SMALL, "student_loan_interest": SMALL, "casualty_loss": SMALL}},
        "carer": {"spm_units": {"spm_unit_pre_subsidy_childcare_expenses": MIDDLE}, "people": {"child_support_received": SMALL, "child_support_expense": SMALL}},
        "jobless": {"people": {"unemployment_compensation": MIDDLE, "workers_compensation": SMALL}, "spm_units": {"spm_unit_assets": SMALL}},
        "student": {"people": {"qualified_tuition_expenses": MIDDLE, "is_full_time_college_student": flag, "cost_of_attending_college": LARGE}},
        "sick": {"people": {"other_medical_expenses": MIDDLE, "medicare_part_b_premiums_reported": SMALL, "is_pregnant": flag, "has_esi": flag}},
        "migrant": {"people": {"immigration_status_str": one_of("CITIZEN", "UNDOCUMENTED", "REFUGEE", "LEGAL_PERMANENT_RESIDENT"), "years_since_us_entry": lambda r: r.randrange(20), "ssn_card_type": one_of("CITIZEN", "NONE", "OTHER_NON_CITIZEN")}},
        "veteran": {"people": {"veterans_benefits": MIDDLE, "military_retirement_pay": MIDDLE, "is_military": flag}},
        "saver": {"people": {"traditional_401k_contributions_desired": MIDDLE, "traditional_ira_contributions_desired": MIDDLE, "roth_ira_contributions_desired": SMALL, "bank_account_assets": LARGE}},
        "green": {"tax_units": {"heat_pump_expenditures": MIDDLE, "solar_electric_property_expenditures": LARGE, "purchased_qualifying_new_clean_vehicle": flag, "new_clean_vehicle_msrp": LARGE}},
        "hours": {"people": {"weekly_hours_worked": lambda r: r.randrange(5, 60), "is_paid_hourly": flag, "hourly_wage": lambda r: round(7 + 40 * r.random(), 2)}},
        "tips": {"people": {"tip_income": MIDDLE, "treasury_tipped_occupation_code": lambda r: r.choice([0, 101, 102, 405]), "fsla_overtime_premium": SMALL}},
        "reported": {"people": {"social_security_survivors": MIDDLE, "receives_wic": flag, "gambling_winnings": SMALL, "gambling_losses": SMALL, "strike_benefits": SMALL}},
    },
    "uk": {
        "pension": {"people": {"private_pension_income": LARGE, "state_pension_reported": MIDDLE, "bsp_reported": SMALL}},
        "disabled": {"people": {"is_disabled_for_benefits": flag, "pip_dl_category": one_of("STANDARD", "ENHANCED", "NONE"), "pip_m_category": one_of("STANDARD", "ENHANCED", "NONE"), "dla_sc_category": one_of("LOWER", "MIDDLE", "HIGHER"), "aa_category": one_of("LOWER", "HIGHER"), "uc_limited_capability_for_WRA": flag}},
        "self-employed": {"people": {"self_employment_income": LARGE, "personal_pension_contributions": MIDDLE, "trading_loss": SMALL, "capital_allowances": SMALL}},
        "gains": {"people": {"capital_gains": LARGE, "dividend_income": MIDDLE, "savings_interest_income": MIDDLE, "capital_gains_residential_property": MIDDLE}},
        "landlord": {"people": {"property_income": MIDDLE, "property_finance_costs": SMALL}, "households": {"other_residential_property_value": sized("huge")}},
        "renter": {"households": {"rent": MIDDLE, "tenure_type": one_of("RENT_FROM_COUNCIL", "RENT_FROM_HA", "RENT_PRIVATELY"), "num_bedrooms": lambda r: r.randrange(1, 6), "council_tax": SMALL}},
        "owner": {"households": {"mortgage_interest_repayment": MIDDLE, "mortgage_capital_repayment": MIDDLE, "tenure_type": one_of("OWNED_OUTRIGHT", "OWNED_WITH_MORTGAGE"), "main_residence_value": sized("huge"), "council_tax": SMALL, "council_tax_band": one_of(*"ABCDEFGH")}},
        "buyer": {"households": {"property_purchased": flag, "main_residential_property_purchased": lambda r: amount(r, "huge"), "main_residential_property_purchased_is_first_home": flag, "additional_residential_property_purchased": lambda r: amount(r, "huge")}},
        "rich": {"households": {"savings": LARGE, "gross_financial_wealth": sized("huge"), "owned_land": LARGE, "private_pension_wealth": LARGE}},
        "shares": {"households": {"corporate_wealth": LARGE, "directly_held_shares": LARGE}},
        "giver": {"people": {"gift_aid": SMALL, "charitable_investment_gifts": SMALL, "maintenance_expenses": SMALL, "blind_persons_allowance": one_of(0, 3130)}},
        "carer": {"people": {"care_hours": lambda r: r.randrange(60), "childcare_expenses": MIDDLE, "maintenance_income": SMALL, "is_parent": flag}},
        "jobless": {"people": {"jsa_contrib_reported": SMALL, "employment_status": one_of("UNEMPLOYED", "LONG_TERM_DISABLED", "RETIRED", "STUDENT"), "esa_contrib_reported": SMALL}},
        "student": {"people": {"student_loan_plan": one_of("PLAN_1", "PLAN_2", "PLAN_4", "PLAN_5", "POSTGRADUATE"), "student_loan_balance": LARGE, "in_HE": flag, "highest_education": one_of("TERTIARY", "UPPER_SECONDARY")}},
        "reported": {"people": {"universal_credit_reported": MIDDLE, "child_benefit_reported": SMALL, "housing_benefit_reported": MIDDLE, "working_tax_credit_reported": SMALL, "pension_credit_reported": SMALL}},
        "claims": {"benunits": {"would_claim_uc": flag, "would_claim_child_benefit": flag, "would_claim_pc": flag, "child_benefit_opts_out": lambda r: r.random() < 0.5, "benunit_reported_capital": MIDDLE}},
        "saver": {"people": {"employee_pension_contributions": MIDDLE, "employer_pension_contributions": MIDDLE, "pension_contributions_via_salary_sacrifice": MIDDLE, "lifetime_isa_payments": SMALL}},
        "spending": {"households": {"petrol_spending": SMALL, "diesel_spending": SMALL, "food_and_non_alcoholic_beverages_consumption": MIDDLE, "full_rate_vat_expenditure_rate": lambda r: round(r.random(), 3), "restaurants_and_hotels_consumption": SMALL, "electricity_consumption": SMALL, "gas_consumption": SMALL}},
        "drinks": {"households": {"beer_litres": SMALL, "wine_litres": SMALL, "cigarettes_per_week": lambda r: r.randrange(140), "national_lottery_ticket_spending": SMALL}},
        "hours": {"people": {"hours_worked": lambda r: r.randrange(200, 2500), "is_apprentice": flag, "statutory_sick_pay": SMALL, "statutory_maternity_pay": SMALL}},
        "bus": {"people": {"local_bus_uncapped_single_fare": one_of(2, 3.5), "other_local_bus_trips": lambda r: r.randrange(300)}, "households": {"rail_usage": SMALL, "bus_fare_spending": SMALL}},
    },
    "canada": {
        "pension": {"people": {"pension_and_savings_plan_income": LARGE, "adult_years_in_canada": lambda r: r.randrange(60), "benefits_income": MIDDLE}},
        "disabled": {"people": {"is_disabled": flag, "dtc_eligible": flag, "registered_disability_savings_plan_income": SMALL}},
        "self-employed": {"people": {"self_employment_income": LARGE, "other_employment_income": MIDDLE}},
        "investor": {"people": {"investment_income": LARGE}, "households": {"household_liquid_assets": LARGE, "real_and_personal_property": LARGE}},
        "renter": {"people": {"rent": MIDDLE, "property_tax": SMALL}, "households": {"lived_in_a_student_residence": flag, "home_energy_costs_on_a_reserve": SMALL, "is_in_northern_ontario": flag}},
        "carer": {"people": {"childcare_expense": MIDDLE, "care_expenses": SMALL, "maternity_and_parental_benefit": MIDDLE, "universal_child_care_benefit": SMALL}, "households": {"full_time_childcare": flag, "childcare_received_days": lambda r: r.randrange(260), "childcare_received_hours_per_day": lambda r: r.randrange(12), "childcare_costs": MIDDLE}},
        "student": {"people": {"is_full_time_student": flag, "tuition_expenses": MIDDLE, "prior_training_credits": SMALL, "teaching_supplies_expenses": SMALL}},
        "teeth": {"people": {"has_private_dental_insurance": lambda r: r.random() < 0.3, "dental_expenses": SMALL}},
        "north": {"households": {"in_whitehorse": flag, "resides_on_settlement_land": flag, "is_rural": flag, "yt_childrens_arts_credit_expenses": SMALL, "childrens_sport_and_culture_participation_costs": lambda r: r.randrange(900)}},
        "negative": {"people": {"self_employment_income": lambda r: -amount(r), "investment_income": lambda r: -amount(r, "small")}},
    },
}

WAGE = {"us": "employment_income", "uk": "employment_income", "canada": "employment_income"}
GROUPS = {"us": ["tax_units", "spm_units", "families", "households"], "uk": ["benunits", "households"], "canada": ["households"]}
PLACE = {"us": ("state_name", STATES), "uk": ("region", REGIONS), "canada": ("province_name", PROVINCES)}

# Changes of the law, by path; values hold between two days. Structural ones switch code of the package on.
POLICIES = {
    "us": [
        {"gov.irs.credits.ctc.amount.base[0].amount": {"2024-01-01.2100-12-31": 5000}, "gov.irs.credits.ctc.refundable.fully_refundable": {"2024-01-01.2100-12-31": True}},
        {"gov.irs.income.bracket.rates.1": {"2025-01-01.2026-12-31": 0.17}, "gov.irs.deductions.standard.amount.SINGLE": {"2025-01-01.2025-12-31": 20000}},
        {"gov.abolitions.snap": {"2024-01-01.2100-12-31": True}},
        {"gov.abolitions.eitc": {"2025-01-01.2025-12-31": True}, "gov.abolitions.ssi": {"2025-01-01.2025-12-31": True}},
        {"gov.contrib.ubi_center.basic_income.amount.person.by_age[3].amount": {"2024-01-01.2100-12-31": 6000}},
        {"gov.contrib.ubi_center.flat_tax.rate.agi": {"2024-01-01.2100-12-31": 0.2}, "gov.contrib.ubi_center.flat_tax.abolish_federal_income_tax": {"2024-01-01.2100-12-31": True}},
        {"gov.contrib.congress.afa.in_effect": {"2024-01-01.2100-12-31": True}},
        {"gov.contrib.streamlined_eitc.in_effect": {"2024-01-01.2100-12-31": True}},
        {"gov.simulation.labor_supply_responses.elasticities.income": {"2024-01-01.2100-12-31": -0.05}, "gov.simulation.labor_supply_responses.elasticities.substitution.all": {"2024-01-01.2100-12-31": 0.25}, "gov.irs.income.bracket.rates.2": {"2024-01-01.2100-12-31": 0.2}},
        {"gov.simulation.capital_gains_responses.elasticity": {"2024-01-01.2100-12-31": -0.7}, "gov.irs.capital_gains.rates.2": {"2024-01-01.2100-12-31": 0.25}},
    ],
    "uk": [
        {"gov.hmrc.income_tax.rates.uk[0].rate": {"2023-01-01.2100-12-31": 0.22}},
        {"gov.hmrc.income_tax.allowances.personal_allowance.amount": {"2025-01-01.2026-12-31": 15000}},
        {"gov.dwp.universal_credit.means_test.reduction_rate": {"2023-01-01.2100-12-31": 0.5}, "gov.hmrc.child_benefit.amount.additional": {"2023-01-01.2100-12-31": 30}},
        {"gov.contrib.abolish_council_tax": {"2023-01-01.2100-12-31": True}},
        {"gov.contrib.abolish_state_pension": {"2023-01-01.2100-12-31": True}},
        {"gov.contrib.ubi_center.basic_income.amount.flat": {"2023-01-01.2100-12-31": 40}, "gov.contrib.ubi_center.basic_income.interactions.include_in_means_tests": {"2023-01-01.2100-12-31": True}},
        {"gov.contrib.conservatives.cb_hitc_household": {"2023-01-01.2100-12-31": True}},
        {"gov.contrib.cps.marriage_tax_reforms.expanded_ma.remove_income_condition": {"2023-01-01.2100-12-31": True}, "gov.contrib.cps.marriage_tax_reforms.expanded_ma.ma_rate": {"2023-01-01.2100-12-31": 1}},
        {"gov.simulation.labour_supply_responses.income_elasticity": {"2023-01-01.2100-12-31": -0.05}, "gov.simulation.labour_supply_responses.substitution_elasticity": {"2023-01-01.2100-12-31": 0.2}, "gov.hmrc.income_tax.rates.uk[0].rate": {"2023-01-01.2100-12-31": 0.25}},
        {"gov.simulation.capital_gains_responses.elasticity": {"2023-01-01.2100-12-31": -0.5}, "gov.hmrc.cgt.basic_rate": {"2023-01-01.2100-12-31": 0.25}, "gov.hmrc.cgt.higher_rate": {"2023-01-01.2100-12-31": 0.4}},
        {"gov.contrib.ubi_center.land_value_tax.rate": {"2023-01-01.2100-12-31": 0.01}, "gov.contrib.ubi_center.carbon_tax.rate": {"2023-01-01.2100-12-31": 50}},
        {"gov.dwp.benefit_cap.single.in_london": {"2026-01-01.2026-12-31": 30000}, "gov.contrib.policyengine.disable_simulated_benefits": {"2026-01-01.2026-12-31": True}},
    ],
    "canada": [
        {"gov.cra.tax.income.credits.canada_employment_amount.max_amount": {"2022-01-01.2030-12-31": 3000}},
        {"gov.cra.tax.income.credits.basic_personal_amount.base": {"2023-01-01.2023-12-31": 20000}},
        {"gov.cra.tax.income.credits.climate_action_incentive.rural": {"2022-01-01.2030-12-31": 0.5}},
    ],
}

# How many of a hundred requests have a kind, and how many households one with several has. The original takes seconds for each simulation of us and uk,
# whether for one household or twenty.
KINDS = {"one": 26, "years": 12, "other year": 8, "months": 8, "reform": 8, "axes": 8, "shape": 12, "several": 16, "odd": 2}
SLOW = {"one": 20, "years": 10, "other year": 8, "months": 8, "reform": 10, "axes": 8, "shape": 10, "several": 24, "odd": 2}
SEVERAL = {"us": (9, 19), "uk": (18, 30), "canada": (2, 7)}
COUNT = {"us": 90, "uk": 72, "canada": 300}


class Drawing:
    def __init__(self, country, r):
        self.country, self.r = country, r
        self.people, self.groups, self.persons = {}, {plural: {} for plural in GROUPS[country]}, 0
        if country == "us":
            self.groups["marital_units"] = {}

    def adult(self, period, old=False):
        r = self.r
        age = r.randrange(63, 92) if old else r.randrange(18, 66)
        person = {"age": {period: age}}
        if r.random() < 0.75:
            person[WAGE[self.country]] = {period: 0 if r.random() < 0.1 else amount(r, "large" if r.random() < 0.92 else "huge")}
        return person

    def child(self, period):
        person = {"age": {period: self.r.randrange(0, 18)}}
        if self.country == "canada":
            person["is_child_of_filer"] = {period: True}
        return person

    def add(self, person):
        self.persons += 1
        name = self.r.choice(["person", "p", "you", "zoe", "a b", "é"]) + str(self.persons)
        self.people[name] = person
        return name

    def household(self, period, units=None):
        """Adds a household of one to three tax or benefit units."""
        r = self.r
        everybody, first = [], True
        for _ in range(units or r.choices([1, 2, 3], [80, 15, 5])[0]):
            old = r.random() < 0.2
            adults = [self.add(self.adult(period, old)) for _ in range(r.choice([1, 2]))]
            children = [self.add(self.child(period)) for _ in range(r.choices([0, 1, 2, 3, 5], [45, 22, 20, 8, 5])[0] if not old else 0)]
            members = adults + children
            everybody += members
            if self.country == "us":
                self.groups["tax_units"][f"tax{len(self.groups['tax_units'])}"] = {"members": members}
                self.groups["families"][f"family{len(self.groups['families'])}"] = {"members": members}
                for couple in [adults] + [[c] for c in children]:
                    self.groups["marital_units"][f"m{len(self.groups['marital_units'])}"] = {"members": couple}
                if first or r.random() < 0.4:
                    self.groups["spm_units"][f"spm{len(self.groups['spm_units'])}"] = {"members": list(members)}
                else:
                    list(self.groups["spm_units"].values())[-1]["members"] += members
            elif self.country == "uk":
                self.groups["benunits"][f"benunit{len(self.groups['benunits'])}"] = {"members": members}
            elif first:
                self.people[adults[0]]["is_head"] = {period: True}
                for spouse in adults[1:]:
                    self.people[spouse]["is_spouse"] = {period: True}
            first = False
        name, places = PLACE[self.country]
        household = {"members": everybody, name: {period: r.choice(places)}}
        self.groups["households"][f"home{len(self.groups['households'])}"] = household
        for situation in r.sample(sorted(SITUATIONS[self.country]), r.choice([0, 1, 2, 3])):
            self.situation(SITUATIONS[self.country][situation], everybody, period)

    def situation(self, inputs, members, period):
        for plural, variables in inputs.items():
            where = [self.people[name] for name in members] if plural == "people" else [g for g in self.groups[plural].values() if set(g["members"]) <= set(members)]
            adults = [p for p in where if plural != "people" or p["age"][period] >= 16] or where
            for chosen in self.r.sample(adults, self.r.choice([1, min(2, len(adults))])):
                for variable, draw in variables.items():
                    if self.r.random() < 0.7:
                        chosen[variable] = {period: draw(self.r)}

    def everything(self):
        return {"people": self.people, **{plural: groups for plural, groups in self.groups.items() if groups}}

    def ask(self, periods, count, months=False):
        """Asks for values: what every request asks for, and others that are drawn."""
        r, outputs, document = self.r, OUTPUTS[self.country], self.everything()
        choices = [(plural, v) for plural in document for v in outputs.get(plural, [])]
        wanted = [(plural, v) for plural, v in choices if v in FIRST[self.country]] + r.sample(choices, count)
        for plural, variable in wanted:
            for name in document[plural] if r.random() < 0.3 else [r.choice(sorted(document[plural]))]:
                for period in periods if r.random() < 0.5 else [r.choice(periods)]:
                    document[plural][name].setdefault(variable, {}).setdefault(period, None)
        if months:
            for plural, variable in outputs["monthly"]:
                if plural in document:
                    document[plural][r.choice(sorted(document[plural]))].setdefault(variable, {})[f"{periods[0]}-{r.randrange(1, 13):02}"] = None
        return document


def year(country, r):
    return str(r.choice({"us": [2023, 2024, 2025, 2026], "uk": [2024, 2025, 2026, 2027], "canada": [2023, 2024, 2025, 2026]}[country]))


def request(country, kind, r, number):
    drawing, period = Drawing(country, r), year(country, r)
    policy = None
    count = r.randrange(16, 28)
    if kind == "several":
        for _ in range(r.randrange(*SEVERAL[country])):
            drawing.household(period)
    else:
        drawing.household(period, units=1 if kind == "axes" else None)
    if kind == "years":
        # Inputs of two years; results of both and of two later ones.
        for table in drawing.everything().values():
            for inputs in table.values():
                for variable, given in inputs.items():
                    if variable != "members" and isinstance(given[period], (int, float)) and not isinstance(given[period], bool) and r.random() < 0.5:
                        given[str(int(period) + 1)] = given[period] + 1 if variable == "age" else round(given[period] * 1.1, 2)
        periods = [str(int(period) + i) for i in range(4)]
        document = drawing.ask(periods, count)
    elif kind == "other year":
        document = drawing.ask([str(int(period) + r.choice([-1, 1, 2]))], count)
    elif kind == "months":
        for person in drawing.people.values():
            if WAGE[country] in person and r.random() < 0.5:
                person[WAGE[country]] = {f"{period}-{month:02}": amount(r, "small") for month in r.choice([range(1, 13), range(1, 7), [3]])}
        if country == "us":
            for unit in drawing.groups["spm_units"].values():
                if r.random() < 0.4:
                    unit["snap"] = {f"{period}-{month:02}": amount(r, "small") for month in r.sample(range(1, 13), 3)}
        document = drawing.ask([period], count, months=True)
    elif kind == "shape":
        document = shape(drawing, period, count, r)
    elif kind == "odd":
        document = drawing.ask([period], 3)
        odd(document, period, r)
    else:
        document = drawing.ask([period], count, months=r.random() < 0.15)
    if kind == "axes":
        first = next(iter(drawing.people.values()))
        first[WAGE[country]] = {period: None}
        other = {"us": "social_security_retirement", "uk": "private_pension_income", "canada": "investment_income"}[country]
        points = r.randrange(3, 9)
        axis = {"name": WAGE[country], "period": period, "min": 0, "max": amount(r, "large") + 1000, "count": points}
        if r.random() < 0.3:
            parallel = {"name": other, "period": period, "min": 0, "max": amount(r), "count": points}
            document["axes"] = [[axis, parallel]]
        else:
            document["axes"] = [[axis]]
    if kind == "reform" or kind == "several" and country != "us" and r.random() < 0.2:
        policy = POLICIES[country][number % len(POLICIES[country])]
    return {"kind": kind, "household": document, **({"policy": policy} if policy else {})}


def shape(drawing, period, count, r):
    """Groups that are left out, empty lists, persons in no group, values without a period."""
    document = drawing.ask([period], count)
    which = r.randrange(6)
    groups = [plural for plural in document if plural != "people"]
    if which == 0:
        for plural in groups:
            if plural != "households":
                del document[plural]
    elif which == 1:
        for plural in groups:
            del document[plural]
    elif which == 2:
        document[r.choice(groups)] = {}
    elif which == 3:
        plural = r.choice(groups)
        document[plural]["empty"] = {"members": []}
    elif which == 4:
        plural = r.choice(groups)
        members = next(iter(document[plural].values()))["members"]
        if len(members) > 1:
            members.pop()
    else:
        for person in document["people"].values():
            person["age"] = person["age"][period]
    return document


def odd(document, period, r):
    """Mistakes, which the original rejects or does not."""
    person = next(iter(document["people"].values()))
    which = r.randrange(6)
    if which == 0:
        person["no_such_variable"] = {period: 1}
    elif which == 1:
        person["age"] = {"yesterday": 1}
    elif which == 2:
        person["age"] = {period: "forty"}
    elif which == 3:
        document["people"] = {}
    elif which == 4:
        document["clans"] = {"c": {"members": []}}
    else:
        next(iter(document["households"].values()))["members"] = ["nobody"]


def requests(country, count):
    r = random.Random(f"edict {country}")
    kinds = [kind for kind, share in (KINDS if country == "canada" else SLOW).items() for _ in range(share)]
    r.shuffle(kinds)
    number = 0
    for i in range(count):
        kind = kinds[i % len(kinds)]
        number += kind in ("reform", "several")
        yield request(country, kind, random.Random(f"edict {country} {i}"), number)


if __name__ == "__main__":
    for one in requests(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else COUNT[sys.argv[1]]):
        json.dump(one, sys.stdout, separators=(",", ":"), ensure_ascii=False)
        print()
