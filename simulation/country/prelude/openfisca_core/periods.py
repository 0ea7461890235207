from _edict import Instant, Period, instant, key_period_size, period


class DateUnit:
    WEEKDAY = "weekday"
    WEEK = "week"
    DAY = "day"
    MONTH = "month"
    YEAR = "year"
    ETERNITY = "eternity"

    isoformat = ("day", "month", "year")
    isocalendar = ("weekday", "week", "year")


WEEKDAY = DateUnit.WEEKDAY
WEEK = DateUnit.WEEK
DAY = DateUnit.DAY
MONTH = DateUnit.MONTH
YEAR = DateUnit.YEAR
ETERNITY = DateUnit.ETERNITY

ISOFORMAT = DateUnit.isoformat
ISOCALENDAR = DateUnit.isocalendar


def unit_weights():
    return {WEEKDAY: 100, WEEK: 200, DAY: 100, MONTH: 200, YEAR: 300, ETERNITY: 400}


def unit_weight(unit):
    return unit_weights()[unit]


def instant_date(instant):
    return None if instant is None else instant.date
