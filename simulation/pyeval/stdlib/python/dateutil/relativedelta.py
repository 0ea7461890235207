from datetime import date, datetime, timedelta

_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_RELATIVE = ("years", "months", "days", "leapdays", "hours", "minutes", "seconds", "microseconds")
_ABSOLUTE = ("year", "month", "day", "hour", "minute", "second", "microsecond")


def _leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_in(year, month):
    return 29 if month == 2 and _leap(year) else _DAYS[month - 1]


def _whole(value):
    if value != int(value):
        raise ValueError("Non-integer years and months are ambiguous and not currently supported.")
    return int(value)


class relativedelta:
    def __init__(self, dt1=None, dt2=None, years=0, months=0, days=0, leapdays=0, weeks=0, hours=0, minutes=0, seconds=0, microseconds=0,
                 year=None, month=None, day=None, hour=None, minute=None, second=None, microsecond=None):
        self.years, self.months, self.days, self.leapdays = _whole(years), _whole(months), days + 7 * weeks, leapdays
        self.hours, self.minutes, self.seconds, self.microseconds = hours, minutes, seconds, microseconds
        self.year, self.month, self.day = year, month, day
        self.hour, self.minute, self.second, self.microsecond = hour, minute, second, microsecond
        if dt1 is not None and dt2 is not None:
            self._between(dt1, dt2)
        self._carry()

    def _carry(self):
        for small, large, size in (("microseconds", "seconds", 1000000), ("seconds", "minutes", 60), ("minutes", "hours", 60),
                                   ("hours", "days", 24), ("months", "years", 12)):
            value = getattr(self, small)
            if abs(value) >= size:
                sign = -1 if value < 0 else 1
                more, rest = divmod(value * sign, size)
                setattr(self, small, rest * sign)
                setattr(self, large, getattr(self, large) + more * sign)

    def _between(self, dt1, dt2):
        if isinstance(dt1, datetime) != isinstance(dt2, datetime):
            dt1, dt2 = _with_time(dt1), _with_time(dt2)
        months = (dt1.year - dt2.year) * 12 + dt1.month - dt2.month
        step = 1 if dt1 < dt2 else -1
        while (dt1 < _moved(dt2, months)) if step < 0 else (dt1 > _moved(dt2, months)):
            months += step
        left = dt1 - _moved(dt2, months)
        self.years, self.months, self.days = 0, months, 0
        self.seconds, self.microseconds = left.seconds + left.days * 86400, left.microseconds

    @property
    def weeks(self):
        return int(self.days / 7.0)

    @weeks.setter
    def weeks(self, value):
        self.days = self.days - self.weeks * 7 + value * 7

    def normalized(self):
        days = int(self.days)
        hours_left = round(self.hours + 24 * (self.days - days), 11)
        hours = int(hours_left)
        minutes_left = round(self.minutes + 60 * (hours_left - hours), 10)
        minutes = int(minutes_left)
        seconds_left = round(self.seconds + 60 * (minutes_left - minutes), 8)
        seconds = int(seconds_left)
        return self._like(days=days, hours=hours, minutes=minutes, seconds=seconds,
                          microseconds=round(self.microseconds + 1e6 * (seconds_left - seconds)))

    def _like(self, **changed):
        for name in _RELATIVE + _ABSOLUTE:
            changed.setdefault(name, getattr(self, name))
        return relativedelta(**changed)

    def _with(self, other, sign):
        mixed = {name: getattr(other, name) if getattr(other, name) is not None else getattr(self, name) for name in _ABSOLUTE}
        if sign < 0:
            mixed = {name: getattr(self, name) if getattr(self, name) is not None else getattr(other, name) for name in _ABSOLUTE}
        mixed["leapdays"] = other.leapdays or self.leapdays
        for name in _RELATIVE:
            if name != "leapdays":
                mixed[name] = getattr(self, name) + sign * getattr(other, name)
        return relativedelta(**mixed)

    def __radd__(self, other):
        return self.__add__(other)

    def __add__(self, other):
        if isinstance(other, relativedelta):
            return self._with(other, 1)
        if isinstance(other, timedelta):
            return self._like(days=self.days + other.days, seconds=self.seconds + other.seconds, microseconds=self.microseconds + other.microseconds)
        if not isinstance(other, date):
            return NotImplemented
        return self._added(other)

    def _added(self, day):
        total = (self.year or day.year) * 12 + (self.month or day.month) - 1 + self.years * 12 + self.months
        year, month = total // 12, total % 12 + 1
        changed = {"year": year, "month": month, "day": min(_days_in(year, month), self.day or day.day)}
        for name in ("hour", "minute", "second", "microsecond"):
            if getattr(self, name) is not None:
                changed[name] = getattr(self, name)
        days = self.days
        if self.leapdays and month > 2 and _leap(year):
            days += self.leapdays
        if not isinstance(day, datetime) and (self.hours or self.minutes or self.seconds or self.microseconds or len(changed) > 3):
            day = _with_time(day)
        return day.replace(**changed) + timedelta(days=days, hours=self.hours, minutes=self.minutes, seconds=self.seconds, microseconds=self.microseconds)

    def __neg__(self):
        return self._like(**{name: -getattr(self, name) for name in _RELATIVE if name != "leapdays"})

    def __abs__(self):
        return self._like(**{name: abs(getattr(self, name)) for name in _RELATIVE if name != "leapdays"})

    def __sub__(self, other):
        if not isinstance(other, relativedelta):
            return NotImplemented
        return self._with(other, -1)

    def __rsub__(self, other):
        return (-self).__radd__(other)

    def __mul__(self, factor):
        factor = float(factor)
        return self._like(**{name: int(getattr(self, name) * factor) for name in _RELATIVE if name != "leapdays"})

    __rmul__ = __mul__

    def __truediv__(self, divisor):
        return self * (1 / float(divisor))

    def __bool__(self):
        return any(getattr(self, name) for name in _RELATIVE) or any(getattr(self, name) is not None for name in _ABSOLUTE)

    def __eq__(self, other):
        if not isinstance(other, relativedelta):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _RELATIVE + _ABSOLUTE)

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(tuple(getattr(self, name) for name in _RELATIVE + _ABSOLUTE))

    def __repr__(self):
        parts = [f"{name}={getattr(self, name):+g}" for name in _RELATIVE if getattr(self, name)]
        parts += [f"{name}={getattr(self, name)!r}" for name in _ABSOLUTE if getattr(self, name) is not None]
        return f"relativedelta({', '.join(parts)})"


def _with_time(day):
    return day if isinstance(day, datetime) else datetime(day.year, day.month, day.day)


def _moved(day, months):
    total = day.year * 12 + day.month - 1 + months
    year, month = total // 12, total % 12 + 1
    return day.replace(year=year, month=month, day=min(day.day, _days_in(year, month)))
