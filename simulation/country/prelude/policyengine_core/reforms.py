from openfisca_core.reforms import Reform as _Reform
from policyengine_core.periods import instant, period
from policyengine_core.taxbenefitsystems import TaxBenefitSystem

_ALWAYS = "0000-01-01"


def _change(key, value):
    # What update is told of a value on a period, between two days ("2024-01-01.2024-12-31"), from a day on, or always.
    key = str(key)
    if ":" in key:
        return {"period": period(key), "value": value}
    start, _, stop = key.partition(".")
    change = {"value": value}
    if key != "ETERNITY":
        change["start"] = instant(start)
    if stop:
        change["stop"] = instant(stop)
    return change


def _beginning(change):
    start = change["period"].start if "period" in change else change.get("start")
    return _ALWAYS if start is None else str(start)


def _changes(values):
    if not isinstance(values, dict):
        return [_change("year:2000:100", values)]
    # One that begins later must not be undone by one that goes on from before.
    return sorted([_change(key, value) for key, value in values.items()], key=_beginning)


class Reform(_Reform):
    country_id = None
    parameter_values = None
    apply_reform_set = TaxBenefitSystem.apply_reform_set

    @staticmethod
    def from_dict(parameter_values, country_id=None, name=None):
        def changed(parameters):
            changes = {path: _changes(values) for path, values in parameter_values.items()}
            for path, all_of_it in changes.items():
                parameter = parameters.get_child(path)
                for change in all_of_it:
                    parameter.update(**change)
            return parameters

        return type("reform", (Reform,), {"apply": lambda self: self.modify_parameters(changed), "country_id": country_id, "parameter_values": parameter_values, "name": name})

    @staticmethod
    def from_api(api_id, country_id=None):
        raise NotImplementedError("Reform.from_api would ask a server for the reform, which packages may not do here: give it as data")


def set_parameter(path, value, period=None, start=None, stop=None, return_modifier=False):
    start, stop = (None if day is None else instant(day) for day in (start, stop))
    path = getattr(path, "name", path)

    def changed(parameters):
        parameters.get_child(path).update(value=value, period=period, start=start, stop=stop)
        return parameters

    if return_modifier:
        return changed
    return type("reform", (Reform,), {"apply": lambda self: self.modify_parameters(changed)})
