"""Records what OpenFisca-Core answers to several thousand questions about periods.

Run with a Python that has openfisca-core 44.6 installed:  python generate.py > cases.tsv
Each line: operation, arguments, answer, separated by tabs. A period is unit/start/size, an error is "!".
"""
import random

from openfisca_core import periods
from openfisca_core.periods import DateUnit, Instant, Period

UNITS = [DateUnit.YEAR, DateUnit.MONTH, DateUnit.WEEK, DateUnit.DAY, DateUnit.WEEKDAY]
rng = random.Random(20261115)


def show(x):
    if isinstance(x, Period):
        return f"{x.unit.value}/{show(x.start)}/{x.size}"
    if isinstance(x, Instant):
        return "%d-%d-%d" % tuple(x)
    if isinstance(x, (list, tuple)):
        return ",".join(show(i) for i in x)
    return str(x)


def ask(op, *args, f):
    try:
        answer = show(f())
    except Exception:
        answer = "!"
    print(op, *[show(a) if isinstance(a, (Period, Instant)) else str(a) for a in args], answer, sep="\t")


def strings():
    starts = ["2014", "2014-01", "2014-12", "2014-1", "2014-13", "2014-00", "2014-02-28", "2014-02-29", "2016-02-29",
              "2014-2-3", "2014-02-3", "2014-02-00", "2014-02-31", "2014-W01", "2014-W1", "2014-W53", "2015-W53",
              "2020-W53-7", "2014-W10-0", "2014-W10-8", "2014-W10-1", "2014-w10", "2014W10", "20140101", "2014-123",
              "014", "20145", "", "-", "2014-", "0001", "0000", "9999", "9999-W52-7", "2014-02-03-04", "2014-3",
              "x", "2014 ", " 2014", "2009-W53-7", "1969-12-31", "0001-01-01", "0001-W01-1", "9999-12-31", "2014-W00"]
    for s in starts:
        ask("parse", s, f=lambda: periods.period(s))
        ask("instant", s, f=lambda: periods.instant(s))
        for u in [*UNITS, "eternity", "century", "YEAR", ""]:
            for tail in ["", ":1", ":3", ":0", ":-2", ":x", ":", ":1_0", ": 4 ", ":+5", ":1.5", ":2:3", ":1__0"]:
                if tail not in ("", ":3") and rng.random() > 0.12:
                    continue
                text = f"{u}:{s}{tail}"
                ask("parse", text, f=lambda: periods.period(text))
    for s in ["eternity", "ETERNITY", "Eternity", "eternity:2014", "eternal", "month", "month:", "year:2014:"]:
        ask("parse", s, f=lambda: periods.period(s))


def day():
    special = [(2012, 2, 29), (2016, 2, 29), (2014, 1, 1), (2014, 1, 31), (2014, 12, 31), (2015, 12, 28), (2016, 1, 3),
               (2020, 12, 31), (2021, 1, 3), (2000, 2, 29), (1900, 2, 28), (1, 1, 1), (9999, 12, 31), (2019, 12, 30)]
    if rng.random() < 0.35:
        return Instant(rng.choice(special))
    if rng.random() < 0.4:
        return Instant((rng.randint(1950, 2050), rng.randint(1, 12), 1))
    return Instant((rng.randint(1950, 2050), rng.randint(1, 12), rng.randint(1, 28)))


def some_period():
    if rng.random() < 0.02:
        return Period.eternity()
    return Period((rng.choice(UNITS), day(), rng.choice([1, 1, 1, 1, 2, 3, 12, 13, 24, 0, -1, 400])))


PROPERTIES = ["stop", "days", "date", "size_in_years", "size_in_months", "size_in_days", "size_in_weeks", "size_in_weekdays",
              "this_year", "first_month", "first_week", "first_day", "first_weekday", "last_month", "last_3_months",
              "last_year", "n_2", "last_week", "last_fortnight", "last_2_weeks", "last_26_weeks", "last_52_weeks"]


def date_instant(p):
    d = p.date
    return Instant((d.year, d.month, d.day))


def arithmetic():
    for _ in range(320):
        p = some_period()
        ask("str", p, f=lambda: str(p))
        for name in rng.sample(PROPERTIES, 9):
            f = (lambda: date_instant(p)) if name == "date" else (lambda: getattr(p, name))
            ask(name, p, f=f)
        u, n = rng.choice(UNITS), rng.choice([-25, -12, -3, -1, 0, 1, 2, 7, 12, 37])
        ask("offset", p, n, u.value, f=lambda: p.offset(n, u))
        ask("first-of", p, u.value, f=lambda: p.offset("first-of", u))
        ask("last-of", p, u.value, f=lambda: p.offset("last-of", u))
        q = some_period() if rng.random() < 0.4 else Period((rng.choice(UNITS), p.start, rng.choice([1, 2])))
        ask("contains", p, q, f=lambda: p.contains(q))
        ask("less", p, q, f=lambda: p < q)
        ask("key", p, f=lambda: periods.key_period_size(p))
        a, b = (None if rng.random() < 0.2 else day() for _ in "ab")
        ask("intersection", p, a or "None", b or "None", f=lambda: p.intersection(a, b))
        near = Instant((p.start.year, rng.randint(1, 12), rng.choice([1, 15])))
        ask("intersection", p, near, "None", f=lambda: p.intersection(near, None))


def divisions():
    for _ in range(150):
        p = Period((rng.choice(UNITS), day(), rng.choice([1, 1, 2, 3])))
        u = rng.choice([*UNITS, DateUnit.ETERNITY])
        def ends():
            subs = p.get_subperiods(u)
            return [len(subs), *subs[:2], *subs[-1:]]
        ask("subperiods", p, u.value, f=ends)
    for u in UNITS:
        ask("subperiods", Period.eternity(), u.value, f=lambda: [len(Period.eternity().get_subperiods(u))])


strings()
arithmetic()
divisions()
