import numpy

from openfisca_core.commons import eval_expression


def assert_near(value, target_value, absolute_error_margin=None, message="", relative_error_margin=None):
    # Within the margins as 32-bit numbers; equal if there is none, and if the values are texts, days or members.
    if getattr(value, "possible_values", None) is not None:
        return assert_enum_equals(value, target_value, message)
    value = numpy.asarray(value)
    if str(value.dtype).startswith("datetime64"):
        return assert_datetime_equals(value, numpy.asarray(target_value, dtype=value.dtype), message)
    if isinstance(target_value, str):
        target_value = eval_expression(target_value)
    first = target_value[0] if isinstance(target_value, list) and target_value else target_value
    if isinstance(first, str):
        assert numpy.all(value == target_value), f"{message}{value} differs from {target_value}"
        return
    if absolute_error_margin is None and relative_error_margin is None:
        absolute_error_margin = 0
    target = numpy.asarray(target_value).astype(numpy.float32)
    value = value.astype(numpy.float32)
    difference = abs(target - value)
    for kind, margin in (
        ("absolute", absolute_error_margin),
        ("relative", None if relative_error_margin is None else abs(relative_error_margin * target)),
    ):
        if margin is not None:
            assert numpy.all(difference <= margin), f"{message}{value} differs from {target} with {kind} margin {difference} > {margin}"


def assert_datetime_equals(value, target_value, message=""):
    assert numpy.all(value == target_value), f"{message}{value} differs from {target_value}"


def assert_enum_equals(value, target_value, message=""):
    value = value.decode_to_str()
    assert numpy.all(value == target_value), f"{message}{value} differs from {target_value}"


def indent(text):
    return "  " + text.replace("\n", "\n  ")
