import io

BOM_UTF8 = b"\xef\xbb\xbf"


def open(filename, mode="r", encoding=None, errors="strict", buffering=-1):
    return io.open(filename, mode, encoding=encoding)


def getreader(encoding):
    def reader(stream, errors="strict"):
        return io.StringIO(stream.read().decode(encoding))
    return reader


def decode(value, encoding="utf-8", errors="strict"):
    return value.decode(encoding)


def encode(value, encoding="utf-8", errors="strict"):
    return value.encode(encoding)
