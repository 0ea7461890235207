# Groups of rows, and workbooks.
import pandas as pd

frame = pd.DataFrame({"town": ["b", "a", "b", "c"], "people": [5, 2, 7, 1], "code": ["02", "01", "02", "03"]})
frame.people = frame.people * 10
groups = frame.groupby("town")
print(list(groups.groups), len(groups), groups.ngroups)
print(groups.get_group("b")["people"].values.tolist(), [(label, part.shape) for label, part in groups])
for how in "sum", "mean", "min", "max", "count", "first":
    found = getattr(groups["people"], how)()
    print(how, found.index.tolist(), found.tolist())
print(groups.size().tolist(), [label for label, _ in frame.groupby("town", sort=False)], list(frame.groupby(["town", "code"]).groups))
try:
    groups.get_group("z")
except KeyError as e:
    print(e)

book = pd.read_excel("tables/towns.xlsx")
print(list(book.columns), book.shape, book["siren"].tolist(), book["insee"].tolist(), book["share"].tolist(), book.name.tolist(), book["mixed"].tolist(), book["digits"].tolist())
book.insee = book.insee.astype("|S5")
print(list(book[["siren", "insee"]].groupby("siren").get_group(200)["insee"].values))


class Made:
    pass


Made.__name__ = "made_of_%i" % 3
print(Made.__name__, Made().__class__.__name__)
