import _edict
from openfisca_core.parameters import Parameter, ParameterNode
from policyengine_core.enums import Enum

# A node that says by what it is broken down has a child for every value, 0 where none is written.
_MOST_VALUES = 10_000


def homogenize_parameter_structures(root, variables, default_value=0):
    for node in _edict.items_with(root, "breakdown"):
        if isinstance(node, ParameterNode):
            breakdown = node.metadata["breakdown"]
            if isinstance(breakdown, str):
                breakdown = [breakdown]
            if isinstance(breakdown, list) and breakdown:
                homogenize_parameter_node(node, breakdown, variables, default_value)
    return root


def homogenize_parameter_node(node, breakdown, variables, default_value):
    by = breakdown[0]
    values = [str(value) for value in _values(by, variables, node)]
    if not hasattr(node, "children"):
        node = ParameterNode(node.name, data={value: _constant(default_value) for value in values})
    for value in values:
        if value not in node.children:
            node.add_child(value, Parameter(f"{node.name}.{value}", _constant(default_value)))
    extra = [name for name in node.children if name.split(".")[-1] not in values]
    if extra:
        raise ValueError(f"Parameter {node.name} has children {extra} that are not in the possible values of the breakdown variable '{by}'.")
    if len(breakdown) > 1:
        for name in node.children:
            node.children[name] = homogenize_parameter_node(node.children[name], breakdown[1:], variables, default_value)
    return node


def _constant(value):
    return {"0000-01-01": value, "2040-01-01": value}


def _values(by, variables, node):
    if isinstance(by, list):
        return by
    variable = variables.get(by)
    if variable is None:
        return _written(by, node)
    if variable.value_type == bool:
        return [True, False]
    if variable.value_type == Enum:
        return [member.name for member in variable.possible_values]
    raise ValueError(f"Parameter {node.name} is broken down by '{by}', which is neither an enumeration nor a bool.")


def _written(text, node):
    # range(1, 8), or list(range(…)); nothing else is computed.
    inner = text.strip()
    if inner.startswith("list(") and inner.endswith(")"):
        inner = inner[5:-1].strip()
    if inner.startswith("range(") and inner.endswith(")"):
        values = range(*[int(number) for number in inner[6:-1].split(",")])
        if len(values) > _MOST_VALUES:
            raise ValueError(f"Parameter {node.name}: the breakdown '{text}' has {len(values)} values, more than {_MOST_VALUES}.")
        return list(values)
    if inner[:1] in "[({" and inner[-1:] in "])}":
        return [item.strip().strip("'\"") for item in inner[1:-1].split(",") if item.strip()]
    raise ValueError(f"Parameter {node.name}: the breakdown '{text}' is neither a variable nor a range(…).")
