# Long tables: rows by masks, what is in a column once, groups and their quantiles, columns under other names.
import numpy as np
import pandas as pd

n = 300000
rows = np.arange(n)
rents = pd.DataFrame({"rent": (rows * 37 % 1009) / 8, "year": 2015 + rows % 7, "area": np.where(rows % 3 == 0, "north", np.where(rows % 5 == 0, "south", "west")), "kind": np.where(rows % 2 == 0, "A", "B")})
rents.year = rents.year.astype(int)
print(2019 in rents.year.unique(), rents.year.unique().tolist(), rents.area.unique().tolist(), rents.year.max(), rents.rent.min())
part = rents[rents.year == 2019]
print(len(part), part.index[0], part.index[-1], part.index.tolist()[:4], part.loc[part.index[3]]["rent"], part.iloc[3]["rent"])
rates = part.groupby(["area", "kind"]).rent.quantile(0.3)
print(rates.index.tolist(), rates.tolist())
for q in 0, 0.5, 0.77, 1:
    print(q, part.groupby("area")["rent"].quantile(q).tolist())
table = rates.reset_index()
table.columns = ["place", "sort", "rate"]
table.rate = np.floor(np.round(table.rate * 100, 6) + 0.5) / 100
print(table.columns.tolist(), table.to_dict("list"))
print(pd.DataFrame({"place": np.array(["west", "east"]), "sort": np.array(["B", "A"])}).merge(table, on=["place", "sort"], how="left").rate.values * 52)
try:
    table.columns = ["one"]
except ValueError as e:
    print(e)
few = pd.DataFrame({"k": ["b", "a", "b", "b"], "v": [3.0, np.nan, 1.0, np.nan], "w": [5, 6, 7, 8]})
print(few.groupby("k").v.quantile(0.25).tolist(), few.groupby("k")["w"].quantile().tolist(), few.v.unique().tolist(), few.v.isna().tolist())
print(few[few.w > 5].index.tolist(), few[few.w > 5].loc[2, "w"], 0 in few[few.w > 5].index, few.w[few.w > 5].loc[3], few.w[few.w > 5].to_dict())
print(few[few.w > 5].reset_index(drop=True).index.tolist(), few[few.w > 5].reset_index().to_dict("list"))
big = pd.DataFrame({"id": np.array([2**53, 2**53 + 1, 2**53 + 1, 7]), "v": [1, 2, 3, 4]})
print(big.id.unique().tolist(), big.groupby("id").v.sum().tolist(), big.merge(pd.DataFrame({"id": [2**53 + 1, 7], "w": [8, 9]}), on="id").to_dict("list"))
