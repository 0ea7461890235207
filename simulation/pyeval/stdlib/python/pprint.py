def pprint(*args, **keywords):
    print(*args)


def pformat(value, **keywords):
    return repr(value)
