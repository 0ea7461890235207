import _edict

_OWN = ("breakdown", "label", "name", "description")


def propagate_parameter_metadata(root):
    for item in _edict.items_with(root, "propagate_metadata_to_children"):
        if item.metadata["propagate_metadata_to_children"]:
            given = {key: value for key, value in item.metadata.items() if key not in _OWN}
            _edict.spread(item, given)
    return root
