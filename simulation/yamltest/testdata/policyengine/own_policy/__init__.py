import copy
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import NamedTuple

from policyengine_core.parameters import Parameter, ParameterNode, ParameterScale
from policyengine_core.parameters.operations.uprate_parameters import uprate_parameters
from policyengine_core.parameters.parameter_at_instant import ParameterAtInstant
from policyengine_core.taxbenefitsystems import TaxBenefitSystem

from own_policy.entities import entities

HERE = Path(__file__).parent


class Old(NamedTuple):
    path: str
    target: str = "gov.tax[1].rate"


@dataclass(frozen=True)
class Band:
    threshold: object
    rate: object


class Bands(ParameterScale):
    def _get_at_instant(self, instant):
        scale = super()._get_at_instant(instant)
        scale.components = tuple(Band(b.threshold(instant), b.rate(instant)) for b in self.brackets)
        return scale


class Alias(Parameter):
    def __init__(self, name, target_path):
        self.name = name
        self.target_path = target_path
        self.parent = None
        self._at_instant_cache = {}

    @property
    def target(self):
        node = self.parent
        while not getattr(node, "_anchor", False):
            node = node.parent
        return node.get_child(self.target_path)

    @property
    def values_list(self):
        return self.target.values_list

    @property
    def metadata(self):
        return self.target.metadata

    def update(self, *args, **kwargs):
        return self.target.update(*args, **kwargs)

    def clone(self):
        return Alias(self.name, self.target_path)

    def _get_at_instant(self, instant):
        return self.target.get_at_instant(instant)


class Quiet(dict):
    def items(self):
        return ((key, value) for key, value in super().items() if not isinstance(value, Alias))

    def values(self):
        return (value for _, value in self.items())

    def __iter__(self):
        return (key for key, _ in self.items())


@contextmanager
def quiet(node):
    children = node.children
    node.children = Quiet(children)
    try:
        yield node
    finally:
        node.children = children


class System(TaxBenefitSystem):
    variables_dir = None
    auto_carry_over_input_variables = True

    def __init__(self):  # does by hand what the constructor of its base does
        self._parameters_at_instant_cache = {}
        self.variables = {}
        self.entities = [copy.copy(entity) for entity in entities]
        self.person_entity, *self.group_entities = self.entities
        self.group_entity_keys = [entity.key for entity in self.group_entities]
        for entity in self.entities:
            entity.set_tax_benefit_system(self)
        self.variable_module_metadata = {}
        self.add_variables_from_directory(HERE / "variables")
        self.load_parameters(HERE / "parameters")
        root = self.parameters
        root._anchor = True
        root.gov.children["tax"].__class__ = Bands
        old = Old("old_rate")
        root.gov.add_child(old.path, Alias("gov.old_rate", old.target))
        growth = Decimal(repr(0.0345)).quantize(Decimal("0.001"), ROUND_HALF_UP)
        lump = root.gov.lump
        lump.values_list.append(ParameterAtInstant(lump.name, "2030-01-01", data=float(growth)))
        lump.values_list.sort(key=lambda entry: entry.instant_str, reverse=True)
        with quiet(root.gov) as gov:
            if "old_rate" in list(gov.children):
                raise ValueError("the alias is seen")
            uprate_parameters(root)
        band = replace(Band(1, 2), rate=3)
        root.gov.old_rate.update(start="2026-01-01", value=band.rate / 10)
        TaxBenefitSystem.modify_parameters(self, lambda _: root.clone())


CountryTaxBenefitSystem = System
system = System()
