"""The shape of openfisca_core.simulations.Simulation, for code that comes from there."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from ._errors import EdictError

if TYPE_CHECKING:
    from ._law import Law

Period = Union[str, int]


class Simulation:
    """A situation and what is computed for it.

    >>> simulation = Simulation(law, situation)
    >>> simulation.calculate("revdisp", "2024")
    """

    def __init__(self, law: "Law", situation: Mapping[str, Any]) -> None:
        self.law = law
        self.situation: Dict[str, Any] = copy.deepcopy(dict(situation))

    def calculate(self, variable: str, period: Period) -> NDArray[Any]:
        """The values of a variable on a period it is defined for, one per member of its entity, in the order of the situation."""
        return self._columns(variable, [str(period)])[0]

    def calculate_add(self, variable: str, period: Period) -> NDArray[Any]:
        """The sum of a variable over the months (days, years) of a longer period."""
        unit = self.law.variable_info(variable)["definitionPeriod"]
        columns = self._columns(variable, _parts(str(period), unit))
        total: NDArray[Any] = np.sum(np.stack(columns), axis=0, dtype=columns[0].dtype)
        return total

    def calculate_divide(self, variable: str, period: Period) -> NDArray[Any]:
        """A yearly variable on one of its months: a twelfth."""
        unit = self.law.variable_info(variable)["definitionPeriod"]
        text = str(period)
        if unit != "YEAR" or len(text) != 7:
            raise EdictError(f"calculate_divide is for a yearly variable on a month such as 2024-06: {variable} is defined by the {unit.lower()}, the period is {text}")
        result: NDArray[Any] = self.calculate(variable, text[:4]) / 12
        return result

    def set_input(self, variable: str, period: Period, values: Sequence[Any]) -> None:
        """Sets the values of a variable, one per member of its entity."""
        members = self._members(variable)
        if len(values) != len(members):
            raise EdictError(f"{variable} has {len(members)} members here, and {len(values)} values were given")
        for member, value in zip(members, values):
            plain = value.item() if isinstance(value, np.generic) else value
            member.setdefault(variable, {})[str(period)] = plain

    def _members(self, variable: str, situation: Any = None) -> List[Dict[str, Any]]:
        plural = self.law.plural_of(variable)
        entity = (self.situation if situation is None else situation).get(plural)
        if not isinstance(entity, dict) or not entity:
            raise EdictError(f"{variable} belongs to {plural}, and the situation has none: add {{'{plural}': {{'id': {{…}}}}}}")
        return list(entity.values())

    def _columns(self, variable: str, periods: Sequence[str]) -> List[NDArray[Any]]:
        asked = copy.deepcopy(self.situation)
        for member in self._members(variable, asked):
            values = member.setdefault(variable, {})
            for period in periods:
                values.setdefault(period, None)
        answer = self._members(variable, self.law.calculate(asked))
        return [self.law.column(variable, [member[variable][period] for member in answer]) for period in periods]


def _parts(period: str, unit: str) -> List[str]:
    """The years or months of a period."""
    if unit == "MONTH" and len(period) == 4:
        return [f"{period}-{month:02d}" for month in range(1, 13)]
    if (unit == "MONTH" and len(period) == 7) or (unit == "YEAR" and len(period) == 4):
        return [period]
    raise EdictError(f"a variable by the {unit.lower()} cannot be summed over {period}: give a year such as 2024")
