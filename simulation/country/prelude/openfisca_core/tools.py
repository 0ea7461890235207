def indent(text):
    return "  " + text.replace("\n", "\n  ")
