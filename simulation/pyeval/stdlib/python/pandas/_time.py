import datetime

import numpy


def Timestamp(*args, **keywords):
    # A day, or a moment, as Python has it.
    if len(args) == 1 and isinstance(args[0], str):
        return datetime.datetime.fromisoformat(args[0])
    return datetime.datetime(*args, **keywords)


Timestamp.min = Timestamp(1677, 9, 22)
Timestamp.max = Timestamp(2262, 4, 11)
Timedelta = datetime.timedelta


def day_of(value):
    # A day as columns of dates have it.
    return numpy.datetime64(value.strftime("%Y-%m-%d")) if isinstance(value, datetime.date) else value
