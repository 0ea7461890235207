import datetime

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(7)
January, February = 1, 2
EPOCH = 1970
mdays = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
day_name = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
day_abbr = [name[:3] for name in day_name]
month_name = ["", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
month_abbr = [name[:3] for name in month_name]


class IllegalMonthError(ValueError):
    def __init__(self, month):
        self.month = month

    def __str__(self):
        return f"bad month number {self.month!r}; must be 1-12"


class IllegalWeekdayError(ValueError):
    def __init__(self, weekday):
        self.weekday = weekday

    def __str__(self):
        return f"bad weekday number {self.weekday!r}; must be 0 (Monday) to 6 (Sunday)"


def isleap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def leapdays(y1, y2):
    y1, y2 = y1 - 1, y2 - 1
    return (y2 // 4 - y1 // 4) - (y2 // 100 - y1 // 100) + (y2 // 400 - y1 // 400)


def weekday(year, month, day):
    if not datetime.MINYEAR <= year <= datetime.MAXYEAR:
        year = 2000 + year % 400
    return datetime.date(year, month, day).weekday()


def monthrange(year, month):
    if not 1 <= month <= 12:
        raise IllegalMonthError(month)
    return weekday(year, month, 1), mdays[month] + (month == February and isleap(year))


def monthcalendar(year, month):
    return Calendar(_first).monthdayscalendar(year, month)


def timegm(tuple):
    year, month, day, hour, minute, second = tuple[:6]
    return (((datetime.date(year, month, 1).toordinal() - datetime.date(EPOCH, 1, 1).toordinal() + day - 1) * 24 + hour) * 60 + minute) * 60 + second


_first = MONDAY


def firstweekday():
    return _first


class Calendar:
    def __init__(self, firstweekday=0):
        self.firstweekday = firstweekday

    def iterweekdays(self):
        for i in range(7):
            yield (self.firstweekday + i) % 7

    def itermonthdays(self, year, month):
        first, days = monthrange(year, month)
        before = (first - self.firstweekday) % 7
        for _ in range(before):
            yield 0
        for day in range(1, days + 1):
            yield day
        for _ in range(-(before + days) % 7):
            yield 0

    def itermonthdays2(self, year, month):
        for i, day in enumerate(self.itermonthdays(year, month)):
            yield day, (self.firstweekday + i) % 7

    def itermonthdates(self, year, month):
        first, days = monthrange(year, month)
        before = (first - self.firstweekday) % 7
        start = datetime.date(year, month, 1) - datetime.timedelta(days=before)
        for i in range(before + days + -(before + days) % 7):
            yield start + datetime.timedelta(days=i)

    def monthdayscalendar(self, year, month):
        days = list(self.itermonthdays(year, month))
        return [days[i:i + 7] for i in range(0, len(days), 7)]

    def monthdatescalendar(self, year, month):
        days = list(self.itermonthdates(year, month))
        return [days[i:i + 7] for i in range(0, len(days), 7)]
