import numpy

import _edict
from openfisca_core.parameters import Parameter
from openfisca_core.periods import instant
from policyengine_core.parameters.operations.get_parameter import get_parameter


# A parameter whose metadata name an index goes on as the index does after its last own value.
def uprate_parameters(root):
    waiting = {path: parameter for path, parameter in _edict.parameter_paths(root, "uprating")}
    done = set()
    for path in sorted(waiting, key=lambda path: waiting[path].name):
        _uprate_in_order(root, waiting, done, path, [])
    return root


def _uprate_in_order(root, waiting, done, path, under_way):
    if path in done:
        return
    if path in under_way:
        cycle = [waiting[step].name for step in under_way[under_way.index(path):] + [path]]
        raise ValueError("Cyclic uprating dependency detected: " + " -> ".join(cycle))
    parameter = waiting[path]
    index = _settings(parameter)["parameter"]
    for candidate in _candidates(parameter.name, path, index):
        if index != "self" and candidate in waiting:
            _uprate_in_order(root, waiting, done, candidate, under_way + [path])
            break
    done.add(path)
    uprate_parameter(parameter, root, path)


def _settings(parameter):
    settings = _edict.setting(parameter, "uprating")
    return {"parameter": settings} if isinstance(settings, str) else settings


def _candidates(name, path, index):
    # An index of a copy of the tree, as under baseline, is the one in the copy.
    if path == name:
        return [index]
    names, places = name.split("."), path.split(".")
    common = 0
    while common < min(len(names), len(places)) and names[-common - 1] == places[-common - 1]:
        common += 1
    if common == 0:
        return [index]
    original, current = ".".join(names[:-common]), ".".join(places[:-common])
    if not original:
        return [f"{current}.{index}" if current else index, index]
    if index == original or index.startswith(original + "."):
        moved = current + index[len(original):]
        return [moved.strip("."), index]
    return [index]


def _index(root, name, path, index):
    for candidate in _candidates(name, path, index):
        try:
            return get_parameter(root, candidate)
        except ValueError:
            continue
    return get_parameter(root, index)


def uprate_parameter(parameter, root, path=None):
    settings = _settings(parameter)
    if settings["parameter"] == "self":
        index = _own_index(parameter, settings)
    else:
        index = _index(root, parameter.name, path or parameter.name, settings["parameter"])
    if settings.get("at_defined_interval"):
        _edict.add_values(parameter, _each_year(parameter, index, settings))
    else:
        _edict.add_values(parameter, _after(parameter, index, settings))


def _after(parameter, index, settings):
    last = instant(settings["start_instant"] if "start_instant" in settings else parameter.values_list[0].instant_str)
    value, start = parameter(last), index(last)
    if start is None:
        raise ValueError(f"Failed to uprate using {index.name} at {last} for {parameter.name} because the uprating parameter is not defined at {last}.")
    if "rounding" not in settings and _edict.uprate(parameter, index, last, value):
        return []
    made = []
    for entry in index.values_list[::-1]:
        day = instant(entry.instant_str)
        if day > last:
            made.append((entry.instant_str, _rounded(settings, value * (index(day) / start))))
    return made


def _each_year(parameter, index, settings):
    # Each year on the day of enactment, as much as the index rose from start to end; the next rise is one of the rounded value.
    interval = settings["at_defined_interval"]
    if interval.get("interval", "year") != "year":
        raise NotImplementedError(f"{parameter.name} is uprated by the {interval['interval']}, which is not there: by the year is")
    days = [interval.get(key) for key in ("start", "end", "enactment")]
    if not all(days):
        raise SyntaxError(f"Failed to uprate {parameter.name} using cadence; start, end, and enactment must all be provided")
    start, end, enactment = [[int(part) for part in day.split("-")] for day in days]
    if not start < end < enactment:
        raise ValueError(f"Failed to uprate {parameter.name} using {index.name}: end must come after start, and enactment after end")
    first = _first_year(parameter, interval, enactment)
    last = _last_year(index, end) + enactment[0] - end[0]
    value = parameter(_day(first, enactment))
    made = []
    for year in range(first, last + 1):
        before = index(_day(year - enactment[0] + start[0], start))
        if not before:
            raise ValueError(f"Failed to uprate {parameter.name} using {index.name}: uprater missing values for {year}")
        value = _rounded(settings, index(_day(year - enactment[0] + end[0], end)) / before * value)
        made.append((str(_day(year, enactment)), value))
    return made


def _day(year, day):
    return instant((year, day[1], day[2]))


def _first_year(parameter, interval, enactment):
    if interval.get("effective"):
        return int(interval["effective"][:4])
    newest = instant(parameter.values_list[0].instant_str)
    return newest.year if _day(newest.year, enactment) > newest else newest.year + 1


def _last_year(index, end):
    newest = instant(index.values_list[0].instant_str)
    return newest.year if _day(newest.year, end) <= newest else newest.year - 1


def _rounded(settings, value):
    if "rounding" not in settings:
        return value
    rounding = settings["rounding"]
    if isinstance(rounding, dict):
        how = {"nearest": round, "upwards": numpy.ceil, "downwards": numpy.floor}[rounding["type"]]  # those of numpy leave floats, also infinite ones
        rounded = how(value / rounding["interval"]) * rounding["interval"]
        return rounded if rounding["type"] == "nearest" else float(rounded)
    return round(value / rounding) * rounding


def _own_index(parameter, settings):
    interval = settings.get("interval", "year")
    last = instant(parameter.values_list[0].instant_str)
    start = parameter(instant(settings.get("from", last.offset(-1, interval))))
    increase = parameter(instant(settings.get("to", last))) / start
    value = parameter.values_list[0].value
    data = {}
    for step in range(settings.get("number", 10)):
        value = value * increase
        data[str(last.offset(step, interval))] = value
    return Parameter("self", data=data)
