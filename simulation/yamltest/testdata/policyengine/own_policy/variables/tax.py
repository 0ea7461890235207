from policyengine_core.model_api import *
from own_policy.entities import *


class wage(Variable):
    value_type = float
    entity = Person
    label = "What it says"
    definition_period = YEAR


class tax(Variable):
    value_type = float
    entity = Person
    label = "What it says"
    definition_period = YEAR

    def formula(person, period, parameters):
        return parameters(period).gov.tax.calc(person("wage", period))


class second_rate(Variable):
    value_type = float
    entity = Person
    label = "What it says"
    definition_period = YEAR

    def formula(person, period, parameters):
        p = parameters(period).gov
        return p.tax.components[1].rate + p.old_rate + person("wage", period) * 0


class lump(Variable):
    value_type = float
    entity = Person
    label = "What it says"
    definition_period = YEAR

    def formula(person, period, parameters):
        return parameters.gov.lump(f"{period.start.year}-06-01") + person("wage", period) * 0


class allowance(Variable):
    value_type = float
    entity = Person
    label = "What it says"
    definition_period = YEAR

    def formula(person, period, parameters):
        return parameters.gov.get_child("allowance")(f"{period.start.year}-06-01") + person("wage", period) * 0


class tax_without_wage(Variable):
    value_type = float
    entity = Person
    label = "What it says"
    definition_period = YEAR

    def formula(person, period, parameters):
        simulation = person.simulation
        name = "without"
        while name in simulation.branches or name == simulation.branch_name:
            name += "_"
        branch = simulation.get_branch(name)
        branch.set_input("wage", period, person("wage", period) / 2)
        result = branch.calculate("tax", period)
        del simulation.branches[name]
        return result


class wage_given(Variable):
    value_type = bool
    entity = Person
    label = "What it says"
    definition_period = YEAR

    def formula(person, period, parameters):
        holder = person.get_holder("wage")
        given = [p for p in holder.get_input_periods(person.simulation.branch_name) if p.start <= period.start]
        return (person("wage", period) >= 0) & (len(given) > 0)


class tax_is_computed(Variable):
    value_type = bool
    entity = Person
    label = "Whether a variable has a formula, and where"
    definition_period = YEAR

    def formula(person, period, parameters):
        system = person.simulation.tax_benefit_system
        code = system.get_variable("tax").get_formula(period).__code__
        found = code.co_filename.endswith("tax.py") and code.co_firstlineno > 1 and system.get_variable("wage").get_formula(period) is None
        return (person("wage", period) >= 0) & found


class bonus(Variable):
    value_type = float
    entity = Person
    label = "What it says"
    definition_period = YEAR
    quantity_type = STOCK


class pay(Variable):
    value_type = float
    entity = Person
    label = "What it says"
    definition_period = YEAR
    unit = "currency-EUR"
    adds = ["wage", "bonus"]
    metadata = {"kind": "sum"}
    reference = "https://law.example/pay"


class parts_of_pay(Variable):
    value_type = float
    entity = Person
    label = "What variables say of themselves"
    definition_period = YEAR

    def formula(person, period, parameters):
        system = person.simulation.tax_benefit_system
        pay, bonus = system.get_variable("pay"), system.variables["bonus"]
        told = (
            pay.subtracts is None
            and bonus.adds is None
            and pay.quantity_type == "flow"
            and bonus.quantity_type == "stock"
            and pay.metadata["kind"] == "sum"
            and bonus.metadata is None
            and pay.reference == ["https://law.example/pay"]
            and bonus.reference is None
            and pay.dtype == np.float32
            and pay.json_type == "number"
            and pay.end is None
            and pay.min_value is None
            and pay.hidden_input is not True
            and not pay.is_period_size_independent
        )
        return told * sum(person(part, period) * (i + 1) for i, part in enumerate(pay.adds))
