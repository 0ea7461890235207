# Python's dates in arrays of objects, and their way to datetime64 and back.
from datetime import date, datetime, timedelta

import numpy as np
from dateutil.relativedelta import relativedelta

d = date(2020, 1, 31)
born = np.array(["2000-05-01", "1990-12-31"], dtype="datetime64[D]")
for made in (np.full(2, d), np.array([d, date(2021, 1, 1)]), np.asarray([d]), np.full(2, datetime(2020, 1, 1, 12)), np.full(2, timedelta(days=3)), np.full(2, relativedelta(months=1)), np.array([d, None])):
    print(made.dtype, made)
print(np.full(2, d) + np.where([True, False], np.full(2, relativedelta()), np.full(2, relativedelta(months=+1))))
print((np.full(2, d) + relativedelta(months=1)).astype("datetime64[D]"))
print(born.astype(date), born.astype(object).dtype, born[0].astype("M8[M]").astype(object), born[0].astype(object).year, np.float32(1.5).astype(object), type(np.int32(3).astype(object)).__name__)
print(np.full(2, d) - born.astype(object))
print(np.full(2, d) > born, born < d, np.array([d, date(1980, 1, 1)]) >= born, np.maximum(born, np.datetime64(d)))
print(np.vectorize(lambda x: relativedelta(years=x, days=-1))(np.array([1.0, 2.0])), relativedelta(years=2.0).years, relativedelta(days=1.5) + relativedelta(days=1))
try:
    relativedelta(months=1.5)
except ValueError as e:
    print(e)
print((np.array([d, date(2019, 2, 28)]) + np.vectorize(lambda n: relativedelta(months=n, days=-1))(np.array([1.0, 12.0]))).astype("datetime64[D]"))
print(relativedelta(datetime(2020, 3, 1, 10), datetime(2019, 12, 31, 22, 30)), relativedelta(hours=30, minutes=-90), relativedelta(hours=30).days)
print(datetime(2020, 1, 31, 8) + relativedelta(months=1, hour=0), d + relativedelta(month=2, day=30, years=-1), d + relativedelta(days=+1, weeks=2), relativedelta(weeks=3).weeks, relativedelta(days=-15).weeks)
print(bool(relativedelta()), bool(relativedelta(days=1)), abs(relativedelta(months=-3)), relativedelta(months=3) * 5, relativedelta(years=1) - relativedelta(months=1), -relativedelta(years=1, months=2), relativedelta(years=1) == relativedelta(months=12), relativedelta(days=1) != 3)
print(d - relativedelta(years=1), relativedelta(d, date(2019, 12, 31)), relativedelta(dt1=date(2020, 2, 29), dt2=date(2019, 2, 28)), relativedelta(months=1).normalized(), d + relativedelta(leapdays=1, years=0), date(2020, 3, 1) + relativedelta(leapdays=1))
