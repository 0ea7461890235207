# datetime and relativedelta, alone and with numpy.
import datetime
from datetime import date, timedelta

import numpy as np
from dateutil.relativedelta import relativedelta

d = date(2020, 2, 29)
print(d, repr(d), d.year, d.month, d.day, d.weekday(), d.isoweekday(), d.isoformat(), d.strftime("%d/%m/%Y"), d.toordinal(), d.replace(year=2021, day=1))
print(d + timedelta(days=1), d - timedelta(weeks=1), d - date(2020, 1, 1), (d - date(2020, 1, 1)).days, d < date(2020, 3, 1), d == date(2020, 2, 29), d in {date(2020, 2, 29)})
t = datetime.datetime(2020, 1, 1, 10, 30)
print(t, repr(t), t.hour, t.date(), t + timedelta(hours=14), datetime.datetime.strptime("2021-05-06", "%Y-%m-%d"), (t - datetime.datetime(2020, 1, 1)).total_seconds(), date.fromisoformat("2020-12-31"))
print(timedelta(days=2, hours=3), repr(timedelta(seconds=5)), timedelta(days=1) * 2, -timedelta(days=1), timedelta(days=3) / timedelta(days=2), timedelta(days=1).total_seconds(), timedelta(1) > timedelta(0))
print(d + relativedelta(years=1), d + relativedelta(months=1), d - relativedelta(months=12), date(2020, 1, 31) + relativedelta(months=1), date(2020, 5, 5) + relativedelta(day=31))
r = relativedelta(date(2020, 3, 1), date(1990, 5, 17))
print(r.years, r.months, r.days, r, relativedelta(date(1990, 5, 17), date(2020, 3, 1)), relativedelta(years=1, months=14), relativedelta(months=2) + relativedelta(months=3))
a = np.array(["2020-02-29", "2021-01-01"], dtype="datetime64[D]")
print(a > d, a == d, np.datetime64(d), a[0].item(), a.tolist(), a.astype(object)[0], np.array([d, d], dtype="datetime64[D]"))
print(np.vectorize(lambda x: relativedelta(date(2022, 1, 1), x.item() if hasattr(x, "item") else x).years)(a))
try:
    date(2021, 2, 29)
except ValueError as e:
    print(e)
print(isinstance(t, date), isinstance(d, datetime.datetime), date.min, date.max, sorted([date(2021, 1, 1), d])[0], max(d, date(2020, 1, 1)), f"{d:%Y}", str(d)[:4])
import time

print(time.gmtime(0).tm_year, time.gmtime(86400 * 60.5), time.gmtime(0)[:3], len(time.gmtime(0)), time.strftime("%Y-%m-%d %H", time.gmtime(1e9)))

for text in ["2020-01-01T00:00:00", "2020-02-29 23:59", "2021-05-06T07:08:09.123456", "2021-05-06", "2021-05-06T24:00:01", "2021-13-01T00:00:00", "x", "", "2021-05-06T", "2021-05-06T1:00"]:
    try:
        print(datetime.datetime.fromisoformat(text), type(datetime.datetime.fromisoformat(text)).__name__)
    except ValueError as e:
        print(type(e).__name__)
