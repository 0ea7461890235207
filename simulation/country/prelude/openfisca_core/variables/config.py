import datetime

import numpy

from openfisca_core.indexed_enums import ENUM_ARRAY_DTYPE, Enum

# What values are stored as. A package that makes floats numpy.float64 here, before it makes its system, gets 64 bits
# everywhere; other changes have no effect.
VALUE_TYPES = {
    bool: {"dtype": numpy.bool_, "default": False},
    int: {"dtype": numpy.int32, "default": 0},
    float: {"dtype": numpy.float32, "default": 0},
    str: {"dtype": object, "default": ""},
    Enum: {"dtype": ENUM_ARRAY_DTYPE},
    datetime.date: {"dtype": "datetime64[D]", "default": datetime.date(1970, 1, 1)},
}

FORMULA_NAME_PREFIX = "formula"
