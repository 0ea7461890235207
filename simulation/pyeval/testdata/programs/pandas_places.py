# Tables of places: texts, days, groups of several columns, whole numbers without a sign.
import numpy as np
S=(np.uint64(30), np.uint64(27), np.uint64(31))
M=(np.uint64(0xBF58476D1CE4E5B9),np.uint64(0x94D049BB133111EB))
x=np.asarray(np.array([1,2,3,12345],dtype=np.int32)).astype(np.uint64)
with np.errstate(over="ignore"):
    x=(x^(x>>S[0]))*M[0]
    x=(x^(x>>S[1]))*M[1]
x=x^(x>>S[2])
print((x%np.uint64(12)).astype(int))
import pandas as pd
s=pd.Series(["1","22","333"])
print(s.str.zfill(5).str[:3].tolist(), s.str.len().tolist(), s.where(s.str.len()==2,"x").tolist(), s.str.fullmatch(r"\d{1,2}").tolist())
d=pd.DataFrame({"k":["a","b","a"],"v":[1.0,2.0,4.0],"y":3})
print(d.groupby("k",as_index=False)["v"].median().to_dict("list"), d.drop_duplicates("k",keep="last").to_dict("list"))
print(d.merge(pd.DataFrame({"k":["a"],"w":[5]}),on="k",how="left")["w"].fillna(0).tolist())
t=pd.to_datetime(pd.Series(["2022-01-01","2023-05-01"]))
print((t.clip(lower=pd.Timestamp(year=2022,month=6,day=1))-t).dt.days.tolist(), (pd.Timestamp(year=2022,month=12,day=31)-pd.Timestamp(year=2022,month=1,day=1)).days)
print([str(v)[:10] for v in t.where(np.array([True, False]), pd.Timestamp(1700, 1, 1)).tolist()])
n=d.groupby(["k"])["v"].shift(-1); print(n.tolist())
g=d["v"].groupby([d["k"],d["y"]]).sum().rename("rate").reset_index(); print(g.to_dict("list"))
n=pd.DataFrame({"k":["a","b","a"],"t":pd.to_datetime(pd.Series(["2022-01-01","2023-05-01","2024-05-01"]))}).groupby(["k"])["t"].shift(-1)
print([str(v)[:10] for v in (n - pd.Timedelta(days=1)).fillna(pd.Timestamp(year=2022, month=12, day=31)).tolist()])
s=pd.Series(1.0,index=["a","b"]); s[np.array([True,False])]=5; print(s.tolist(), s.reindex(["b","z"]).tolist())
print(pd.Series(np.array(["p","q","r"]),index=pd.Series([0,4,4])).loc[lambda v:(v.index!=0)&~v.index.duplicated()].to_dict())
print(d.assign(z=1).dropna(subset=["v"]).apply(lambda r:r["v"]==2,axis=1).tolist())
import hashlib
print(hashlib.sha256(b"abc").hexdigest(), hashlib.new("md5", b"").hexdigest())
h = hashlib.sha512()
h.update(b"a")
print(h.digest_size, h.name, len(h.digest()))
# A join of long tables costs what it has rows.
n = 60000
long = pd.DataFrame({"k": np.arange(n), "v": 1.0}).merge(pd.DataFrame({"k": np.arange(n)[::-1], "w": 2.0}), on="k", how="left")
print(len(long), long["w"].sum())

# Arrays are indexed by series.
codes = np.array(["x", "y", "z"], dtype=object)
chosen = pd.Series([True, False, True])
print(codes[chosen].tolist(), np.array([1.5, 2.5, 3.5])[pd.Series([2, 0])].tolist())
table = pd.DataFrame({"place": ["p", "q", "r"]})
found = pd.merge(table, pd.DataFrame({"place": ["q", "x"], "area": [4, 5]}), how="left", left_on="place", right_on="place")
missing = found.area.isna()
found.place[missing] = codes[missing]  # changes a copy
print(found.place.tolist(), missing.tolist())
