import logging
from typing import Any, Callable, Dict, List, Sequence, Type, TypeVar, Union

import numpy
import numpy as np
import pandas as pd
from numpy import logical_not as not_
from numpy import maximum as max_
from numpy import minimum as min_
from numpy import round as round_
from numpy import select, where

import _edict
from openfisca_core.commons import apply_thresholds, concat, switch
from policyengine_core.parameters import ParameterNode
from policyengine_core.periods import Period
from policyengine_core.populations import Population
from policyengine_core.types import ArrayLike, ArrayType
from policyengine_core.variables import Variable

clip = np.clip
inf = np.inf

WEEKS_IN_YEAR = 52
MONTHS_IN_YEAR = 12


def for_each_variable(entity, period, variables, agg_func="add", group_agg_func="add", options=None):
    combine = {"add": lambda x, y: x + y, "multiply": lambda x, y: x * y, "max": max_, "min": min_}[agg_func]
    result = None
    for variable in variables:
        values = _values(entity, period, variable, group_agg_func, options)
        result = values if result is None else combine(result, values)
    return result


def _values(entity, period, variable, group_agg_func, options):
    of = _edict.variable_population(entity, variable)
    if of.entity.key == entity.entity.key:
        return entity(variable, period, options=options)
    if of.entity.is_person:
        aggregate = {"add": entity.sum, "all": entity.all, "max": entity.max, "min": entity.min}[group_agg_func]
        return aggregate(entity.members(variable, period, options=options))
    if entity.entity.is_person:
        raise ValueError(f"{variable} is a variable of {of.entity.plural}, which cannot be added up for {entity.entity.plural}")
    return entity.sum(of.project(of(variable, period)) / of.project(of.nb_persons()))


def add(entity, period, variables, options=None):
    return for_each_variable(entity, period, variables, agg_func="add", options=options)


def and_(entity, period, variables, options=None):
    return for_each_variable(entity, period, variables, agg_func="multiply", options=options)


or_ = add
any_ = or_
multiply = and_


def amount_over(amount, threshold):
    return max_(0, amount - threshold)


def amount_between(amount, threshold_1, threshold_2):
    return clip(amount, threshold_1, threshold_2) - threshold_1


def random(population):
    raise RuntimeError("Formula-time randomness is not allowed: draw numbers when the data are made, and read them as inputs")


def is_in(values, *targets):
    if len(targets) == 1 and isinstance(targets[0], list):
        targets = targets[0]
    return np.any([values == target for target in targets], axis=0)


def between(values, lower, upper, inclusive="both"):
    above = values >= lower if inclusive in ("both", "left") else values > lower
    below = values <= upper if inclusive in ("both", "right") else values < upper
    return above & below


def uprated(by=None, start_year=2015):
    def uprater(variable):
        name = variable.__name__
        variable.metadata = {"uprating": by}

        def formula(entity, period, parameters):
            before = entity(name, period.last_year)
            if by is None:
                return before
            return _index(parameters, period, by) / _index(parameters, period.last_year, by) * before

        setattr(variable, f"formula_{start_year}", formula)
        return variable

    return uprater


def _index(parameters, period, path):
    node = parameters(period)
    for name in path.split("."):
        node = getattr(node, name)
    return node


def carried_over(variable):
    return uprated()(variable)


def sum_of_variables(variables):
    def formula(entity, period, parameters):
        return add(entity, period, _index(parameters, period, variables) if isinstance(variables, str) else variables)

    return formula


any_of_variables = sum_of_variables


def index_(into, indices, where, fill=0):
    if where.sum() == 0:
        return np.ones(where.shape) * fill
    several = indices if isinstance(indices, list) else [indices]
    found = into
    for index in several:
        found = found[index[where]]
    result = np.empty_like(several[0])
    result[where] = found
    result[~where] = fill
    return result.astype(float)


def _added(adds, subtracts):
    # The formula of a variable with adds or subtracts: lists of variables and parameters, or the name of a parameter that is one.
    def formula(population, period, parameters):
        if not adds and not subtracts:
            return None
        values = 0
        for name in _names(adds, period, parameters):
            values = values + _term(population, period, parameters, name)
        for name in _names(subtracts, period, parameters):
            values = values - _term(population, period, parameters, name)
        return values

    return formula


def _names(names, period, parameters):
    return _index(parameters, period, names) if isinstance(names, str) else names or ()


def _term(population, period, parameters, name):
    if _edict.is_variable(population, name):
        return _edict.mapped(population, name, period)
    return _index(parameters, period, name)
