import io

BOM_UTF8 = b"\xef\xbb\xbf"


def open(filename, mode="r", encoding=None, errors="strict", buffering=-1):
    return io.open(filename, mode, encoding=encoding)
