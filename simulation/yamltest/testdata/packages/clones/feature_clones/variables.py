from scipy.optimize import fsolve

from openfisca_core.model_api import *

from feature_clones.entities import Household, Person


class gross(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Before tax"


class bonus(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "An input beside it"


class tax(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "A progressive tax"

    def formula(person, period):
        base = person("gross", period) + person("bonus", period)
        return max_(base - 500, 0) * 0.25 + max_(base - 2000, 0) * 0.125


class net(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "After tax"

    def formula(person, period):
        return person("gross", period) + person("bonus", period) - person("tax", period)


class wanted(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "What should be left"


class marginal(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Share of a hundred more that tax takes, in a simulation of its own"

    def formula(person, period):
        gross, net = person("gross", period), person("net", period)
        simulation = person.simulation.clone()
        for name in ("gross", "tax", "net"):
            simulation.delete_arrays(name, period)
        simulation.set_input("gross", period, gross + 100)
        return 1 - (simulation.calculate("net", period) - net) / 100


class shared(Variable):
    value_type = bool
    entity = Person
    definition_period = MONTH
    label = "Whether what a clone computes anew is seen here"

    def formula(person, period):
        before = person("net", period)
        clone = person.simulation.clone()
        clone.delete_arrays("net", period)
        clone.delete_arrays("tax", period)
        clone.person.get_holder("bonus").delete_arrays(period)
        clone.person.get_holder("bonus").set_input(period, before)
        clone.person("net", period)
        return person("net", period) != before


class new_here(Variable):
    value_type = bool
    entity = Person
    definition_period = MONTH
    label = "Whether a variable that only the clone asked for is known here"

    def formula(person, period):
        person.simulation.clone().calculate("tax", period)
        return person.filled_array(person.get_holder("tax").get_array(period) is not None)


class gross_of_wanted(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "What must be earned for that, by solving"

    def formula(person, period):
        target = person("wanted", period)

        def missing(guess):
            simulation = person.simulation.clone()
            for name in ("gross", "tax", "net"):
                simulation.delete_arrays(name, period)
            simulation.set_input("gross", period, guess)
            return simulation.calculate("net", period) - target

        return fsolve(missing, target * 1.2, xtol=0.001)
