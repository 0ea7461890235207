"""Writes the same persons as CSV and in the layouts of HDF5 that populations may have.

pip install h5py==3.16.0 tables pandas; python make.py
"""
import os
import random

import h5py
import numpy as np
import pandas as pd

os.chdir(os.path.dirname(os.path.abspath(__file__)))
rng = random.Random(7)
n = 50
persons = pd.DataFrame(
    {
        "person_id": range(1, n + 1),
        "club_id": [i // 3 for i in range(n)],
        "salary": np.array([rng.choice([0, rng.random() * 1e4]) for _ in range(n)], dtype="float32"),
        "student": [rng.random() < 0.3 for _ in range(n)],
        "nickname": [rng.choice(["", "Éva", "日本", "bob"]) for _ in range(n)],
        "children": np.array([rng.randrange(9) for _ in range(n)], dtype="int16"),
        "birth": [f"19{rng.randrange(10, 99)}-{rng.randrange(1, 13):02d}-11" for _ in range(n)],
    }
)


def csv(name, frame):
    frame = frame.copy()
    for c in frame.columns:
        if frame[c].dtype == bool:
            frame[c] = frame[c].map({True: "true", False: "false"})
        if frame[c].dtype == np.float32:
            frame[c] = [repr(float(v)) for v in frame[c]]
    frame.to_csv(name, index=False)


def arrays(g, frame):
    for c in frame.columns:
        values = frame[c]
        if values.dtype == object or isinstance(values.dtype, pd.StringDtype):
            g.create_dataset(c, data=list(values), dtype=h5py.string_dtype())
        else:
            g.create_dataset(c, data=values.to_numpy(), compression="gzip", chunks=(16,), shuffle=True)


csv("persons.csv", persons)
with h5py.File("arrays.h5", "w") as f:
    arrays(f, persons)
    f["time_period"] = 2017  # a single number is no column
with pd.HDFStore("table.hdf5", "w", complib="zlib", complevel=9) as s:
    s.put("person", persons, format="table", data_columns=True, index=False)
numbers = persons[["person_id", "club_id", "salary", "student", "children"]]
csv("numbers.csv", numbers)
numbers.to_hdf("fixed.h5", key="person", format="fixed")

periods = persons[["person_id", "club_id"]].copy()
with h5py.File("periods.h5", "w") as f:
    arrays(f, periods)
    for at, factor in ("2016-12", 1), ("2017-01", 2):
        periods[f"salary:{at}"] = (persons["salary"] * factor).astype("float32")
        f[f"salary/{at}"] = periods[f"salary:{at}"].to_numpy()
csv("periods.csv", periods)

persons[:3].to_hdf("objects.h5", key="person", format="fixed", complib="zlib", complevel=9)
with pd.HDFStore("blocks.h5", "w", complib="zlib", complevel=9) as s:
    s.put("person", numbers, format="table", index=False)
with pd.HDFStore("two.h5", "w", complib="zlib", complevel=9) as s:
    s.put("person", numbers, format="table", data_columns=True, index=False)
    s.put("household", numbers[["club_id"]].drop_duplicates(), format="table", data_columns=True, index=False)
with h5py.File("lengths.h5", "w") as f:
    arrays(f, numbers)
    f["club_weight"] = np.ones(17)
with h5py.File("matrix.h5", "w") as f:
    f["salary"] = np.ones((3, 2))
with h5py.File("empty.h5", "w") as f:
    pass
