import _edict

_KEY = "propagate_metadata_to_children"
_OWN = ("breakdown", "label", "name", "description")


# What is below is told to go on, too, so that nodes on the way hand down what they say themselves.
def propagate_parameter_metadata(root):
    _edict.visit_with(root, _KEY, _propagate)
    return root


def _propagate(item):
    if item.metadata[_KEY]:
        _edict.spread(item, {key: value for key, value in item.metadata.items() if key not in _OWN})
