from _edict import Instant, Period, instant, key_period_size, period


class _DateUnits:
    # The units, by name and by value; they are plain texts.
    WEEKDAY = "weekday"
    WEEK = "week"
    DAY = "day"
    MONTH = "month"
    YEAR = "year"
    ETERNITY = "eternity"

    isoformat = ("day", "month", "year")
    isocalendar = ("weekday", "week", "year")

    def __iter__(self):
        return iter(("weekday", "week", "day", "month", "year", "eternity"))

    def __contains__(self, unit):
        return unit in tuple(self)

    def __call__(self, value):
        if value not in self:
            raise ValueError(f"{value!r} is not a unit of time")
        return value

    def __getitem__(self, name):
        if name.lower() not in self or name != name.upper():
            raise KeyError(name)
        return name.lower()


DateUnit = _DateUnits()

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
