class Error(Exception):
    pass


def copy(value):
    if isinstance(value, (list, dict, set)):
        return value.copy()
    if hasattr(value, "__copy__"):
        return value.__copy__()
    return value


def deepcopy(value, memo=None):
    if isinstance(value, list):
        return [deepcopy(item, memo) for item in value]
    if isinstance(value, tuple):
        return tuple(deepcopy(item, memo) for item in value)
    if isinstance(value, dict):
        return {key: deepcopy(item, memo) for key, item in value.items()}
    if isinstance(value, set):
        return set(value)
    if hasattr(value, "__deepcopy__"):
        return value.__deepcopy__(memo)
    return value
