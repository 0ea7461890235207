def get_parameter(root, parameter):
    node = root
    for step in parameter.split("."):
        name, _, index = step.partition("[")
        try:
            node = node.children[name] if hasattr(node, "children") else getattr(node, name)
            if index:
                node = node.brackets[int(index[:-1])]
        except (AttributeError, KeyError, IndexError, ValueError):
            raise ValueError(f"Could not find the parameter (failed at {step} of {parameter}).")
    return node
