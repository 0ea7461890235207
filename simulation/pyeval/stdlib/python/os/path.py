import _files

sep = "/"


def join(path, *parts):
    path = str(path)
    for part in parts:
        part = str(part)
        if part.startswith("/"):
            path = part
        elif not path or path.endswith("/"):
            path += part
        else:
            path += "/" + part
    return path


def split(path):
    path = str(path)
    at = path.rfind("/") + 1
    head, tail = path[:at], path[at:]
    if head and head != "/" * len(head):
        head = head.rstrip("/")
    return head, tail


def dirname(path):
    return split(path)[0]


def basename(path):
    return split(path)[1]


def splitext(path):
    path = str(path)
    dot = path.rfind(".")
    name = path.rfind("/") + 1
    if dot <= name:
        return path, ""
    return path[:dot], path[dot:]


def normpath(path):
    path = str(path)
    parts = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part != ".." or not path.startswith("/"):
            parts.append(part)
    return ("/" if path.startswith("/") else "") + "/".join(parts) or "."


def abspath(path):
    path = str(path)
    return normpath(path if path.startswith("/") else "/" + path)


realpath = abspath


def isabs(path):
    return str(path).startswith("/")


def exists(path):
    return _files.exists(str(path))


def isfile(path):
    return _files.is_file(str(path))


def isdir(path):
    return _files.is_dir(str(path))


def expanduser(path):
    return path


def relpath(path, start="/"):
    path, start = abspath(path), abspath(start)
    return path[len(start):].lstrip("/") if path.startswith(start) else path
