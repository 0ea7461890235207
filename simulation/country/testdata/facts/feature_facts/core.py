# What formulas use of OpenFisca-Core beside variables and parameters.
import numpy as np
from openfisca_core import commons, errors, taxscales, tools
from openfisca_core.indexed_enums import Enum, EnumArray
from openfisca_core.parameters import ParameterNode, ParameterScale

from feature_facts.ask import ask


class Zone(Enum):
    a = "A"
    b = "B"


def rates():
    scale = taxscales.MarginalRateTaxScale(name="rates")
    scale.add_bracket(0, 0)
    scale.add_bracket(100.5, 0.25)
    return scale


def amounts():
    scale = taxscales.SingleAmountTaxScale(name="amounts")
    scale.add_bracket(0, 5)
    scale.add_bracket(10, 7)
    return scale


def empty():
    taxscales.MarginalRateTaxScale(name="empty").bracket_indices(np.array([1.0]))


def caught(class_):
    try:
        empty()
    except class_ as error:
        return type(error).__name__, isinstance(error, IndexError)


def parameter_scale():
    return ParameterScale("scale", {
        "brackets": [
            {"threshold": {"2000-01-01": {"value": 0}}, "rate": {"2000-01-01": {"value": 0.1}, "2010-01-01": {"value": 0.2}}},
            {"threshold": {"2000-01-01": {"value": 10}}, "rate": {"2000-01-01": {"value": 0.3}}},
        ],
    }, "")


def rate(key, class_):
    law = ParameterNode("law", data={"low": {"values": {"2000-01-01": {"value": 0.1}}}}).get_at_instant("2005-01-01")
    steps = []
    try:
        found = law[key]
    except class_ as error:
        steps.append(type(error).__name__)
        found = None
    else:
        steps.append("found")
    finally:
        steps.append("done")
    return found, steps


def near(*args, **keywords):
    try:
        tools.assert_near(*args, **keywords)
    except AssertionError:
        return "differs"
    return "near"


def facts():
    found = []
    ask(found, "to_dict of rates", lambda: rates().to_dict())
    ask(found, "to_dict of amounts", lambda: amounts().to_dict())
    ask(found, "to_dict of nothing", lambda: taxscales.LinearAverageRateTaxScale().to_dict())
    ask(found, "an empty scale, caught", lambda: caught(errors.EmptyArgumentError))
    ask(found, "an empty scale, caught by its base", lambda: caught(IndexError))
    ask(found, "kinds of scales", lambda: [isinstance(s, c) for s in (rates(), amounts()) for c in (
        taxscales.TaxScaleLike, taxscales.RateTaxScaleLike, taxscales.AmountTaxScaleLike, taxscales.AbstractTaxScale)])
    ask(found, "an abstract scale", lambda: taxscales.AbstractTaxScale("x").name)
    ask(found, "a scale of parameters at an instant", lambda: [
        [s.rates, s.thresholds] for s in (parameter_scale().get_at_instant(i) for i in ("2005-01-01", "2015-06-01"))])
    for key in ("low", "high"):
        for class_ in (errors.ParameterNotFound, AttributeError, KeyError, Exception):
            ask(found, f"a rate named {key} or {class_.__name__}", lambda key=key, class_=class_: rate(key, class_))
    ask(found, "EnumArray", lambda: EnumArray(np.array([0, 1, 1]), Zone).decode_to_str().tolist())
    ask(found, "EnumArray compared", lambda: (EnumArray(np.array([0, 1, 1]), Zone) == Zone.b).tolist())
    ask(found, "EnumArray of nothing", lambda: EnumArray(np.array([0, 1])).tolist())
    for text in ("1 + 2", "12 * 1500", "7 / 2", "-3.5 * 2", "2 ** 3", "salary", "date of birth", "2020-01", "(1 + 2) * 3", "1 +"):
        ask(found, f"eval_expression {text}", lambda text=text: (str(commons.eval_expression(text)), str(getattr(commons.eval_expression(text), "dtype", "text"))))
    ask(found, "near", lambda: [
        near(1, 1), near(1, 2), near(1, 2, 1), near([1, 2], [1, 2.5], 0.5), near([1, 2], [1, 2.6], 0.5), near(100, 101, relative_error_margin=0.01),
        near(100, 110, relative_error_margin=0.01), near(3.0, "1 + 2"), near(["a"], ["a"]), near(["a"], "b"),
        near(EnumArray(np.array([0, 1]), Zone), ["a", "b"]), near(EnumArray(np.array([0, 1]), Zone), ["a", "a"]),
    ])
    return found
