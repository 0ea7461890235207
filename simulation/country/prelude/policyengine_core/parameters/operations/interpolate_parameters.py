import _edict
from openfisca_core.parameters import Parameter
from openfisca_core.periods import instant


def interpolate_parameters(root):
    for parameter in _edict.parameters_with(root, "interpolation"):
        if not parameter.metadata["interpolation"].get("completed", False):
            _edict.add_values(parameter, _between(parameter))
            parameter.metadata["interpolation"]["completed"] = True
    return root


def _between(parameter):
    interval = parameter.metadata["interpolation"]["interval"]
    known = parameter.values_list[::-1]
    last = known[-1].instant_str
    made = []
    for before, after in zip(known[:-1], known[1:]):
        start = instant(before.instant_str)
        count = 1
        while str(start.offset(count, interval)) < last:
            count += 1
        for step in range(1, count):
            made.append((str(start.offset(step, interval)), before.value + (after.value - before.value) * step / count))
    return made
