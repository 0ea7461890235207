# Look-up tables as packages read them with pandas.
import io

import numpy as np
import pandas as pd
from pandas import DataFrame, Series, read_csv

rates = pd.read_csv("tables/rates.csv")
print(list(rates.columns), rates.shape, len(rates), rates.empty, "zone" in rates)
print(rates["rate"].values, rates["rate"].dtype, rates["open"].values, rates["cap"].tolist(), rates.rate.sum(), rates.cap.max())
print(rates["code"].tolist(), rates["code"].values[0], rates.since.iloc[-1])

# One cell, some rows, columns.
print(rates.loc[rates["code"] == "75056", "rate"].values[0], rates.loc[2, "zone"], rates.iloc[1, 2], rates.at[0, "code"], rates.iat[3, 1])
print(rates.loc[(rates["zone"] == "A") & (rates["rate"] > 0.5), "code"].item(), rates[rates.open]["code"].tolist(), rates[~rates.open].code.tolist())
print(rates.loc[:, "rate"].tolist(), rates.loc[[0, 2], "rate"].tolist(), rates.iloc[1:3]["code"].tolist(), rates.iloc[-1]["zone"], rates.loc[1].rate)
print(rates[["zone", "rate"]].values.tolist(), rates.head(2).code.tolist(), rates.tail(1).code.tolist())

# By key.
by_code = rates.set_index("code")
print(by_code.loc["01002", "rate"], by_code["rate"]["2A004"], by_code.loc[["2A004", "01001"], "rate"].tolist(), by_code.rate.to_dict())
print(by_code.loc["75056"]["zone"], "01001" in by_code.index, "x" in by_code.index, by_code.rate.get("x", 9), list(by_code.index))
print(dict(zip(rates["code"], rates["rate"])), rates.set_index("zone").loc["A", "rate"].tolist())
two = rates.set_index(["zone", "code"])
print(two.loc[("A", "75056"), "rate"], two.loc[("B", "01002")]["cap"] != two.loc[("B", "01002")]["cap"])
try:
    by_code.loc["nowhere"]
except KeyError as e:
    print("KeyError", e)

# From a vector of keys to a vector of values.
codes = np.array(["01001", "nowhere", "75056"])
print(pd.Series(codes).map(by_code["rate"]).fillna(0).values, Series(codes).map({"01001": 1, "75056": 2, "nowhere": 3}).to_numpy())
print(np.where(np.isin(codes, rates["code"]), 1, 0), np.maximum(rates["rate"], 0.6).tolist(), (rates["rate"] * 2 + 1).tolist(), (1 - rates.rate).values, (np.array([1, 2, 3, 4]) * rates.rate).tolist())
print(rates.rate.astype(int).tolist(), rates.cap.isna().tolist(), rates.cap.fillna(-1).astype("int64").tolist(), rates.zone.unique().tolist(), rates.rate.between(0.3, 0.8).tolist())
people = DataFrame({"who": ["a", "b", "c"], "zone": ["B", "Z", "A"]})
joined = people.merge(rates[["zone", "rate"]].drop_duplicates("zone"), on="zone", how="left")
print(joined.who.tolist(), joined.rate.fillna(-1).tolist(), people.merge(rates, on="zone").code.tolist())

# How files are written.
other = read_csv("tables/semicolons.csv", sep=";", decimal=",", thousands=" ", index_col="id")
print(other.amount.tolist(), other["a name"].isna().tolist(), other["a name"][3], list(other.index))
codes = pd.read_csv("tables/rates.csv", dtype={"code": str, "rate": "float32"}, usecols=["code", "rate"], nrows=2)
print(codes.code.tolist(), codes.rate.dtype, codes.shape)
bare = pd.read_csv(io.StringIO("1,2\n3,4\n"), header=None, names=["a", "b"])
print(bare.a.tolist(), bare.b.sum(), pd.read_csv(io.StringIO("1,2\n3,4\n"), header=None)[1].tolist(), pd.read_csv(io.StringIO("x,y\n1,2\n"), header=0, names=["p", "q"]).q.tolist())

# Rows, changes.
for i, row in rates.iterrows():
    print(i, row["code"], row["rate"])
for row in rates.itertuples():
    print(row.Index, row.code, row.zone, row.open)
changed = rates.copy()
changed["half"] = changed["rate"] / 2
changed["one"] = 1
changed.loc[changed.zone == "A", "half"] = 0
print(changed.half.tolist(), changed.one.tolist(), "half" in rates, changed.drop(columns=["one"]).shape, changed.rename(columns={"half": "h"}).h.sum())
print(rates.sort_values("rate", ascending=False).code.tolist(), rates.sort_values(["zone", "rate"]).code.tolist(), rates.to_dict("records")[0]["code"], rates[["rate"]].to_dict("list"))
print(pd.isna(float("nan")), pd.notna(1), pd.concat([rates, rates]).shape, rates.dropna().shape, rates.rate.idxmax(), rates.rate.mean())
try:
    bool(rates.rate == 1)
except ValueError:
    print("ValueError")
