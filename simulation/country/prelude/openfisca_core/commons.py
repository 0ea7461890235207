import numpy
from _edict import eval_expression


def apply_thresholds(input, thresholds, choices):
    conditions = [input <= threshold for threshold in thresholds]
    if len(conditions) == len(choices) - 1:
        conditions.append(True)
    assert len(conditions) == len(choices), "apply_thresholds needs as many choices as thresholds, or one more"
    return numpy.select(conditions, choices)


def concat(this, that):
    return numpy.char.add(numpy.asarray(this).astype(str), numpy.asarray(that).astype(str))


def switch(conditions, value_by_condition):
    assert len(value_by_condition) > 0, "switch needs at least one value"
    return numpy.select(
        [conditions == condition for condition in value_by_condition],
        tuple(value_by_condition.values()),
    )


def average_rate(target, varying, trim=None):
    return _trimmed(1 - target / varying, trim)


def marginal_rate(target, varying, trim=None):
    return _trimmed(1 - (target[:-1] - target[1:]) / (varying[:-1] - varying[1:]), trim)


def _trimmed(rate, trim):
    if trim is None:
        return rate
    rate = numpy.where(rate <= max(trim), rate, numpy.nan)
    return numpy.where(rate >= min(trim), rate, numpy.nan)


def stringify_array(array):
    return "None" if array is None else f"[{', '.join(str(cell) for cell in array)}]"


def empty_clone(original):
    return object.__new__(type(original))
