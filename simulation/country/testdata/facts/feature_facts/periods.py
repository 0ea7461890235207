from datetime import date

from openfisca_core import periods
from openfisca_core.periods import DateUnit, Instant, Period

from feature_facts.ask import ask

TEXTS = [
    "2020", "2021", "2020-02", "2020-12", "2021-03-31", "2020-W01", "2020-W53", "2021-W01", "2021-W52", "2020-W53-7", "2021-W01-1", "2019-W10-3",
    "year:2020:2", "year:2020-03", "year:2020-W10", "month:2020-11:4", "week:2020-W52:3", "day:2020-02-27:5", "weekday:2020-W53-5:6", "week:2021-W10:52",
    "eternity",
]
PROPERTIES = [
    "unit", "start", "size", "stop", "date", "days", "size_in_years", "size_in_months", "size_in_days", "size_in_weeks", "size_in_weekdays",
    "this_year", "first_month", "first_day", "first_week", "first_weekday", "last_year", "last_month", "last_3_months", "last_week",
    "last_fortnight", "last_2_weeks", "last_26_weeks", "last_52_weeks", "n_2", "is_eternal",
]
UNITS = ["year", "month", "week", "day", "weekday", "eternity"]
WRONG = ["", "2020-1", "2020-W1", "2020-W54", "2021-W53", "2020-W10-8", "2020-W10-0", "week:2020", "weekday:2020-W10", "month:2020", "week:2020-01",
         "fortnight:2020-W10", "2020-W10:2", "week:2020-W10:", "week:2020-W10:x", "2020-13", "2021-02-29", "W10-2020", 2020.5, [], {}]


def facts():
    out = []
    for text in TEXTS:
        p = periods.period(text)
        ask(out, f"str {text}", lambda: p)
        for name in PROPERTIES if text != "eternity" else ("unit", "size", "is_eternal"):
            ask(out, f"{text} {name}", lambda: getattr(p, name))
        for unit in UNITS:
            ask(out, f"{text} in {unit}", lambda: [str(s) for s in p.get_subperiods(unit)][:9])
            for n in (-53, -1, 0, 1, 5, "first-of", "last-of"):
                ask(out, f"{text} offset {n} {unit}", lambda: p.offset(n, unit))
        for n in (-1, 2, "first-of", "last-of"):
            ask(out, f"{text} offset {n}", lambda: p.offset(n))
        for other in TEXTS:
            q = periods.period(other)
            ask(out, f"{text} contains {other}", lambda: p.contains(q))
            ask(out, f"{text} equals {other}", lambda: (p == q, p != q))
        ask(out, f"{text} intersection", lambda: p.intersection(Instant((2020, 3, 10)), Instant((2021, 1, 2))))
        ask(out, f"{text} half intersection", lambda: p.intersection(None, Instant((2021, 1, 2))))
    for text in WRONG:
        ask(out, f"period {text!r}", lambda: periods.period(text))
        ask(out, f"instant {text!r}", lambda: periods.instant(text))
    python_values(out)
    return out


def python_values(out):
    p, i = periods.period("week:2020-W52:3"), Instant((2020, 2, 29))
    ask(out, "tuple", lambda: (str(p[0]), str(p[1]), p[2], len(p), p[-1]))
    ask(out, "unpack", lambda: [str(x) for x in [*p]])
    ask(out, "instant tuple", lambda: (*i, len(i), i[1], i[-1]))
    ask(out, "instant order", lambda: (i < Instant((2020, 3, 1)), i <= i, i > Instant((2019, 12, 31)), max(i, Instant((2021, 1, 1)))))
    ask(out, "instant parts", lambda: (i.year, i.month, i.day, str(i.date), i.is_eternal))
    ask(out, "repr", lambda: repr(i))
    ask(out, "made", lambda: Period((DateUnit.WEEK, Instant((2020, 3, 2)), 2)))
    ask(out, "made by name", lambda: Period(("weekday", Instant((2020, 3, 2)), 1)))
    ask(out, "of instant", lambda: [str(x) for x in (periods.period(i), periods.instant(i), periods.period(date(2020, 3, 4)), periods.instant(date(2020, 3, 4)), periods.period(2020), periods.instant(2020))])
    ask(out, "instant of period", lambda: periods.instant(p))
    ask(out, "sizes", lambda: [periods.key_period_size(periods.period(t)) for t in ("2020", "2020-01", "2020-W01", "2020-W01-2", "week:2020-W01:3", "eternity")])
    ask(out, "weights", lambda: sorted((str(k), v) for k, v in periods.unit_weights().items()))
    ask(out, "weight", lambda: periods.unit_weight(DateUnit.WEEK))
    ask(out, "dates", lambda: (periods.instant_date(None), str(periods.instant_date(i))))
    ask(out, "units", lambda: [str(u) for u in DateUnit])
    ask(out, "unit by value", lambda: (DateUnit("week") == DateUnit.WEEK, DateUnit.WEEK == "week", DateUnit["DAY"] == "day", "month" in DateUnit.isoformat, DateUnit.WEEK in DateUnit.isocalendar))
    ask(out, "unit of", lambda: (p.unit == DateUnit.WEEK, p.unit == periods.WEEK, p.unit in (DateUnit.WEEK, DateUnit.WEEKDAY), f"{p.unit}"))
    ask(out, "names of units", lambda: ([u.name for u in DateUnit], [u.value for u in DateUnit], DateUnit["DAY"].name, p.unit.name, periods.MONTH.value))
    ask(out, "no name of other texts", lambda: "months".name)
    ask(out, "eternity", lambda: (str(Period.eternity()), Period.eternity() == periods.period("eternity"), tuple(Instant.eternity()), Period.eternity().start == Instant.eternity()))
    ask(out, "keys", lambda: {periods.period("2020"): 1, periods.period("2020-W01"): 2}[periods.period("2020-W01")])
    ask(out, "sorted", lambda: [str(x) for x in sorted([periods.period("2021-W02"), periods.period("2020-W53"), periods.period("2021-W01")])])
    ask(out, "offset of instant", lambda: [str(i.offset(n, u)) for u in UNITS[:3] for n in (-1, 1, "first-of", "last-of")])
