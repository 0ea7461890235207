_OWN = ("breakdown", "label", "name", "description")


def propagate_parameter_metadata(root):
    for item in root.get_descendants():
        if item.metadata.get("propagate_metadata_to_children"):
            given = {key: value for key, value in item.metadata.items() if key not in _OWN}
            for below in item.get_descendants():
                below.metadata.update(given)
    return root
