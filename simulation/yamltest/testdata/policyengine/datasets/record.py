"""Records what Microsimulation of a package of PolicyEngine answers for the datasets of draw.py.

    python record.py us|uk DIR [STAGE…]

STAGES, in this order unless some are named:

    base       4,000 households, time_period_arrays, in the year of the data
    reform     the same under a policy
    responses  the same with labour supply and capital gains that respond to it
    later      base, two years later
    tables     the same households as pandas tables, in the year of the data and two years later
    odd        20 small datasets, one of each shape, in other layouts too where the class reads them

A dataset is DIR/NAME.h5 (or .csv), its answers are DIR/NAME-STAGE.answers.h5: one array per variable, in the order of rows that Microsimulation gives, with
period, policy and errors as attributes. With POLICYENGINE=DIR, the directory of policyengine 0.13.0 as its authors publish it, reform and responses also write the blocks
of its economy comparison to NAME-STAGE.report.json.
"""

import gc
import importlib
import importlib.util
import json
import logging
import os
import sys
import types
import warnings

import draw
import h5py
import numpy as np

REPORT = {
    "us": "household_net_income equiv_household_net_income household_income_decile household_market_income household_tax household_benefits household_state_income_tax household_count_people household_weight person_weight tax_unit_weight spm_unit_weight in_poverty in_deep_poverty poverty_gap deep_poverty_gap is_male race age is_adult employment_income self_employment_income substitution_elasticity_lsr income_elasticity_lsr employment_income_behavioral_response relative_income_change relative_wage_change capital_gains_behavioral_response weekly_hours_worked weekly_hours_worked_behavioural_response_income_elasticity weekly_hours_worked_behavioural_response_substitution_elasticity state_income_tax employee_payroll_tax federal_benefit_cost state_benefit_cost spm_unit_is_in_spm_poverty spm_unit_is_in_deep_spm_poverty congressional_district_geoid".split(),
    "uk": "household_net_income equiv_household_net_income household_income_decile household_market_income gov_tax gov_spending household_tax household_benefits household_count_people household_weight person_weight benunit_weight in_poverty in_deep_poverty poverty_gap deep_poverty_gap is_male age is_adult employment_income self_employment_income substitution_elasticity_lsr income_elasticity_lsr employment_income_behavioral_response relative_income_change relative_wage_change capital_gains_behavioural_response total_wealth household_wealth_decile income_tax national_insurance vat council_tax fuel_duty tax_credits universal_credit child_benefit state_pension pension_credit ni_employer in_relative_poverty_bhc in_relative_poverty_ahc in_poverty_bhc in_poverty_ahc equiv_hbai_household_net_income".split(),
}
MORE = {
    "us": "income_tax adjusted_gross_income filing_status taxable_income ctc eitc standard_deduction income_tax_before_credits income_tax_refundable_credits alternative_minimum_tax capital_gains_tax net_investment_income_tax itemized_taxable_income_deductions cdcc refundable_ctc aca_ptc tax_unit_size state_agi eitc_eligible salt_deduction snap tanf ssi wic social_security taxable_social_security medicaid medicaid_category is_medicaid_eligible medicare_cost chip housing_assistance free_school_meals spm_unit_net_income spm_unit_spm_threshold spm_unit_fpg is_snap_eligible snap_normal_allotment employee_social_security_tax employee_medicare_tax self_employment_tax payroll_tax_gross_wages earned_income irs_gross_income capital_gains long_term_capital_gains is_tax_unit_head is_tax_unit_dependent ctc_qualifying_child is_ssi_eligible qualified_business_income_deduction_person household_refundable_tax_credits household_tax_before_refundable_credits household_state_benefits household_size state_code state_name county_str in_nyc rent takes_up_snap_if_eligible takes_up_eitc".split(),
    "uk": "total_income adjusted_net_income personal_allowance taxable_pension_income capital_gains capital_gains_tax dividend_income_tax savings_income_tax student_loan_repayment marriage_allowance carers_allowance pip attendance_allowance ni_employee ni_class_4 pension_contributions_relief earned_income_tax CB_HITC net_income tax tax_band housing_benefit uc_maximum_amount uc_income_reduction uc_standard_allowance uc_child_element uc_housing_costs_element benefit_cap_reduction winter_fuel_allowance income_support benunit_tax is_couple num_children benunit_rent uc_earned_income uc_childcare_element uc_tariff_income uc_LCWRA_element hbai_household_net_income hbai_household_net_income_ahc equiv_hbai_household_net_income_ahc council_tax_less_benefit housing_costs stamp_duty_land_tax tv_licence net_wealth shareholding consumption_shareholding corporate_sdlt country attends_private_school private_school_vat would_claim_council_tax_reduction would_claim_housing_benefit months_since_last_birthday pre_budget_change_ons_household_income_decile nhs_spending education_budget_change employer_ni_response_capital_incidence warm_home_discount_random_draw uc_deduction_random_draw date_of_birth".split(),
}
POLICY = {
    "us": {"gov.irs.credits.ctc.amount.base[0].amount": {"2024-01-01.2100-12-31": 3600}, "gov.irs.income.bracket.rates.2": {"2024-01-01.2100-12-31": 0.15}, "gov.abolitions.tanf": {"2024-01-01.2100-12-31": True}},
    "uk": {"gov.hmrc.income_tax.rates.uk[0].rate": {"2023-01-01.2100-12-31": 0.22}, "gov.hmrc.child_benefit.amount.additional": {"2023-01-01.2100-12-31": 30}, "gov.dwp.universal_credit.means_test.reduction_rate": {"2023-01-01.2100-12-31": 0.5}},
}
RESPONSES = {
    "us": {
        "gov.simulation.labor_supply_responses.elasticities.income": {"2024-01-01.2100-12-31": -0.05},
        "gov.simulation.labor_supply_responses.elasticities.substitution.all": {"2024-01-01.2100-12-31": 0.25},
        "gov.simulation.capital_gains_responses.elasticity": {"2024-01-01.2100-12-31": -0.62},
    },
    "uk": {
        "gov.simulation.labour_supply_responses.income_elasticity": {"2023-01-01.2100-12-31": -0.05},
        "gov.simulation.labour_supply_responses.substitution_elasticity": {"2023-01-01.2100-12-31": 0.2},
        "gov.simulation.capital_gains_responses.elasticity": {"2023-01-01.2100-12-31": -0.5},
    },
}
SLOW = {  # recorded with responses alone: they run the law again
    "us": {"relative_income_change", "relative_wage_change", "substitution_elasticity_lsr", "income_elasticity_lsr", "capital_gains_behavioral_response"},
    "uk": {"relative_income_change", "relative_wage_change"},
}
STAGES = "base reform responses later tables odd".split()


def microsimulation(country, dataset, policy=None):
    package = importlib.import_module("policyengine_" + country)
    simulation = package.Microsimulation(dataset=dataset, **({"reform": policy} if policy else {}))
    return simulation


def save(country, simulation, out, year, policy=None, variables=None):
    errors = {}
    with h5py.File(out, "w") as f:
        f.attrs["period"], f.attrs["policy"] = str(year), json.dumps(policy or {})
        for name in variables or dict.fromkeys(REPORT[country] + MORE[country]):
            if name in SLOW[country] and not (policy and RESPONSES[country].keys() <= policy.keys()):
                continue
            try:
                values = np.asarray(simulation.calculate(name, year))
            except Exception as e:
                errors[name] = f"{type(e).__name__}: {' '.join(str(e).split())[:200]}"
                continue
            if values.dtype.kind in "OU":
                values = values.astype(str).astype("S")
            elif values.dtype.kind == "M":
                values = values.astype("datetime64[D]").astype(str).astype("S")
            f.create_dataset(name, data=values, compression="gzip", compression_opts=9, shuffle=True)
        f.attrs["errors"] = json.dumps(errors)
    print(os.path.basename(out), os.path.getsize(out), errors, flush=True)


def module(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    sys.modules[name] = made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def report(country, baseline, reform, out, year):
    """Writes the blocks of policyengine.py's economy comparison; those that need downloads are left out."""
    root = os.environ.get("POLICYENGINE")
    if not root:
        return
    for name, values in {
        "policyengine": {"Simulation": object},
        "policyengine.outputs": {},
        "policyengine.outputs.macro": {},
        "policyengine.outputs.macro.single": {},
        "policyengine.utils": {},
        "policyengine.utils.data_download": {"download": None},
    }.items():
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__dict__.update(values, __path__=[])
    module("policyengine.utils.geography", f"{root}/policyengine/utils/geography.py")
    single = module("policyengine.outputs.macro.single.calculate_single_economy", f"{root}/policyengine/outputs/macro/single/calculate_single_economy.py")
    compared = module("compared", f"{root}/policyengine/outputs/macro/comparison/calculate_economy_comparison.py")
    for simulation in (baseline, reform):
        simulation.default_calculation_period = year
    both = types.SimpleNamespace(options=types.SimpleNamespace(country=country, include_cliffs=False), baseline_simulation=baseline, reform_simulation=reform)
    a, b = single.calculate_single_economy(both), single.calculate_single_economy(both, reform=True)
    blocks = {
        "budget": lambda: compared.budgetary_impact(a, b),
        "detailed_budget": lambda: compared.detailed_budgetary_impact(a, b, country),
        "decile": lambda: compared.decile_impact(a, b),
        "inequality": lambda: compared.inequality_impact(a, b),
        "poverty": lambda: compared.poverty_impact(a, b),
        "poverty_by_gender": lambda: compared.poverty_gender_breakdown(a, b),
        "poverty_by_race": lambda: compared.poverty_racial_breakdown(a, b),
        "intra_decile": lambda: compared.intra_decile_impact(a, b),
        "wealth_decile": lambda: compared.wealth_decile_impact(a, b, country),
        "intra_wealth_decile": lambda: compared.intra_wealth_decile_impact(a, b, country),
        "labor_supply_response": lambda: compared.labor_supply_response(a, b),
    }
    result = {}
    for name, block in blocks.items():
        try:
            value = block()
            result[name] = value.model_dump() if hasattr(value, "model_dump") else value
        except Exception as e:
            result[name] = {"error": f"{type(e).__name__}: {e}"}
    scalars = {side: {name: value for name, value in economy.model_dump().items() if not isinstance(value, list)} for side, economy in (("baseline", a), ("reform", b))}
    with open(out, "w") as f:
        json.dump({"blocks": result, "economies": scalars}, f, indent=1, default=float)
    print(os.path.basename(out), [name for name, value in result.items() if isinstance(value, dict) and "error" in value], flush=True)


def main(country, directory, *stages):
    warnings.simplefilter("ignore")
    logging.disable()
    os.makedirs(directory, exist_ok=True)
    year = draw.YEAR[country]
    large = f"{directory}/{country}.h5"
    draw.write(country, large, 4000, shape="any order")
    importlib.import_module("policyengine_" + country)
    gc.freeze()  # the law: millions of objects that no collection need look at
    base = None
    for stage in stages or STAGES:
        out = f"{directory}/{country}-{stage}.answers.h5"
        if stage in ("base", "later", "reform", "responses") and base is None:
            base = microsimulation(country, large)
        if stage == "base":
            save(country, base, out, year)
        elif stage == "later":
            save(country, base, out, year + 2)
        elif stage in ("reform", "responses"):
            policy = {**POLICY[country], **(RESPONSES[country] if stage == "responses" else {})}
            reform = microsimulation(country, large, policy)
            save(country, reform, out, year, policy)
            try:
                report(country, base, reform, out.replace(".answers.h5", ".report.json"), year)
            except Exception as e:
                print("report:", type(e).__name__, e, flush=True)
        elif stage == "tables":
            file = f"{directory}/{country}-tables.h5"
            draw.write(country, file, 4000, "tables", "any order")
            simulation = microsimulation(country, file)
            save(country, simulation, out, year)
            save(country, simulation, out.replace("tables", "tables-later"), year + 2)
        elif stage == "odd":
            odd(country, directory, year)


def odd(country, directory, year):
    layouts = {"any order": ["time_period_arrays", "arrays", "flat_file", "tables", "years"], "plain": ["time_period_arrays", "arrays", "flat_file", "tables"], "no weights": ["time_period_arrays", "tables"]}
    for shape in draw.SHAPES:
        for layout in layouts.get(shape, ["time_period_arrays"]):
            name = f"{directory}/{country}-odd-{shape.replace(' ', '_')}-{layout}"
            file = name + (".csv" if layout == "flat_file" else ".h5")
            draw.write(country, file, 20, layout, shape)
            variables = REPORT[country] + MORE[country][:30]
            try:
                simulation = microsimulation(country, file)
            except Exception as e:
                with open(name + ".error", "w") as f:
                    f.write(f"{type(e).__name__}: {e}\n")
                print(os.path.basename(name), type(e).__name__, str(e)[:200], flush=True)
                continue
            save(country, simulation, name + ".answers.h5", year, variables=variables)
            if shape in ("plain", "two years") or layout in ("tables", "years"):
                save(country, simulation, name + "-later.answers.h5", year + 2, variables=variables)


if __name__ == "__main__":
    main(*sys.argv[1:])
