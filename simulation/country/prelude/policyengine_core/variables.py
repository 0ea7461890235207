from _edict import Variable
from openfisca_core.variables import VALUE_TYPES, get_neutralized_variable


class QuantityType:
    STOCK = "stock"
    FLOW = "flow"


class VariableStage:
    INPUT = "input"
    INTERMEDIATE = "intermediate"
    OUTPUT = "output"


class VariableCategory:
    TAX = "tax"
    BENEFIT = "benefit"
    INCOME = "income"
    CONSUMPTION = "consumption"
    WEALTH = "wealth"
    DEMOGRAPHIC = "demographic"
