from decimal import FloatOperation
from email.mime import base
from re import L
from xml.etree import ElementInclude

from openfisca_core.periods import MONTH

from feature_patches.base import Described
from feature_patches.entities import Person


class pay(Described):
    value_type = float
    entity = Person
    definition_period = MONTH
    label = "Pay"
    more = {"form": 1}
