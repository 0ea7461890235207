from datetime import date, timedelta

_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _days_in(year, month):
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _DAYS[month - 1]


class relativedelta:
    def __init__(self, dt1=None, dt2=None, years=0, months=0, days=0, weeks=0, year=None, month=None, day=None, **_):
        self.year, self.month, self.day = year, month, day
        self.years, self.months, self.days = years, months, days + 7 * weeks
        if dt1 is not None:
            self._between(dt1, dt2)
        self._carry()

    def _carry(self):
        sign = -1 if self.months < 0 else 1
        self.years += sign * (sign * self.months // 12)
        self.months = sign * (sign * self.months % 12)

    def _between(self, dt1, dt2):
        self.years, self.days = 0, 0
        self.months = (dt1.year - dt2.year) * 12 + dt1.month - dt2.month
        step = 1 if dt1 < dt2 else -1
        while (dt1 < _moved(dt2, self.months)) if step < 0 else (dt1 > _moved(dt2, self.months)):
            self.months += step
        self.days = (dt1 - _moved(dt2, self.months)).days

    def __radd__(self, other):
        return self.__add__(other)

    def __add__(self, other):
        if isinstance(other, relativedelta):
            return relativedelta(years=self.years + other.years, months=self.months + other.months, days=self.days + other.days)
        start = other.replace(year=self.year or other.year, month=self.month or other.month)
        start = start.replace(day=min(self.day or start.day, _days_in(start.year, start.month)))
        return _moved(start, self.years * 12 + self.months) + timedelta(days=self.days)

    def __neg__(self):
        return relativedelta(years=-self.years, months=-self.months, days=-self.days)

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return other + -self

    def __mul__(self, factor):
        return relativedelta(years=int(self.years * factor), months=int(self.months * factor), days=int(self.days * factor))

    __rmul__ = __mul__

    def __eq__(self, other):
        return (self.years, self.months, self.days) == (other.years, other.months, other.days)

    def __repr__(self):
        parts = [f"{name}={value:+d}" for name, value in (("years", self.years), ("months", self.months), ("days", self.days)) if value]
        return f"relativedelta({', '.join(parts)})"


def _moved(day, months):
    total = day.year * 12 + day.month - 1 + months
    year, month = total // 12, total % 12 + 1
    return day.replace(year=year, month=month, day=min(day.day, _days_in(year, month)))
