def dedent(text):
    lines = [line if line.strip() else "" for line in text.split("\n")]
    margin = None
    for line in lines:
        if line:
            blanks = line[:len(line) - len(line.lstrip())]
            margin = blanks if margin is None else _shared(margin, blanks)
    return "\n".join(line[len(margin or ""):] for line in lines)


def _shared(a, b):
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    return a[:n]


def indent(text, prefix):
    return "\n".join(prefix + line if line.strip() else line for line in text.split("\n"))
