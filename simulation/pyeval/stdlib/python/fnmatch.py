import re


def translate(pat):
    out, i = "", 0
    while i < len(pat):
        c = pat[i]
        end = pat.find("]", i + 2) if c == "[" else -1
        if end > 0:
            chosen = pat[i + 1:end].replace("\\", "\\\\")
            out += "[" + ("^" + chosen[1:] if chosen[0] == "!" else "\\" + chosen if chosen[0] == "^" else chosen) + "]"
            i = end
        else:
            out += {"*": ".*", "?": "."}.get(c, re.escape(c))
        i += 1
    return out


def fnmatchcase(name, pat):
    return re.compile(translate(pat)).fullmatch(name) is not None


fnmatch = fnmatchcase


def filter(names, pat):
    matching = re.compile(translate(pat))
    return [name for name in names if matching.fullmatch(name)]
