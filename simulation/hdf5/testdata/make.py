"""Writes the test files of this directory with h5py, PyTables and pandas, and what h5py reads from them.

pip install h5py==3.16.0 tables pandas; python make.py
"""
import json
import os
import struct
import warnings

import h5py
import numpy as np
import pandas as pd

warnings.simplefilter("ignore")
os.chdir(os.path.dirname(os.path.abspath(__file__)))


def columns(g):
    g["age"] = np.array([40, 38, 7, 70, 3], dtype="int64")
    g["small"] = np.array([1, -2, 3, -4, 5], dtype="int8")
    g["unsigned"] = np.array([0, 65535, 3, 4, 5], dtype="uint16")
    g["big_endian"] = np.array([1, -2, 3, 70000, 5], dtype=">i4")
    g["wage"] = np.array([30000.5, 0, -1.25, np.nan, 1e300], dtype="float64")
    g["share"] = np.array([0.1, 0.25, 0, 1, 0.3], dtype="float32")
    g["half"] = np.array([0.5, 6e-8, -0.0, 65504, -np.inf], dtype="float16")
    g["disabled"] = np.array([True, False, False, True, False])
    g["state"] = np.array([b"CA", b"NY", b"", b"TEXAS", b"\xc3\x89a"], dtype="S5")
    g.create_dataset("name", data=["ada", "bob", "", "Éva", "日本"], dtype=h5py.string_dtype())
    color = h5py.enum_dtype({"RED": 0, "GREEN": 1, "BLUE": 42}, basetype="i2")
    g.create_dataset("color", data=np.array([0, 42, 1, 0, 1], dtype="i2"), dtype=color)


with h5py.File("arrays.h5", "w") as f:
    columns(f)
with h5py.File("latest.h5", "w", libver="latest") as f:
    for k in ("a", "b"):
        f[k] = np.arange(4, dtype="f4")
    f.create_dataset("single", data=np.arange(300), chunks=(300,), compression="gzip", shuffle=True)
    f.create_group("group")["c"] = np.array([b"x", b"yy"])
with h5py.File("latest_many.h5", "w", libver="latest") as f:
    columns(f)
with h5py.File("chunked.h5", "w") as f:
    x = np.arange(300, dtype="int32")
    f.create_dataset("plain", data=x, chunks=(64,))
    f.create_dataset("gzip", data=x, chunks=(64,), compression="gzip", shuffle=True)
    f.create_dataset("gzip_only", data=x, compression="gzip")
    f.create_dataset("checked", data=x, chunks=(100,), fletcher32=True, compression="gzip")
    f.create_dataset("checked_odd", data=np.arange(99, dtype="int8"), chunks=(33,), fletcher32=True)
    f.create_dataset("lzf", data=x // 7, chunks=(90,), compression="lzf")
    f.create_dataset("lzf_same", data=np.zeros(300, dtype="int64"), chunks=(150,), compression="lzf", shuffle=True)
    f.create_dataset("resizable", data=x, maxshape=(None,), chunks=(33,))
    d = f.create_dataset("sparse", shape=(300,), dtype="float64", chunks=(64,), fillvalue=2.5)
    d[150:160] = 7.0
    f.create_dataset("matrix", data=np.arange(60, dtype="float32").reshape(3, 20), chunks=(2, 7), compression="gzip")
    f.create_dataset("cube", data=np.arange(60, dtype="int16").reshape(5, 4, 3), chunks=(2, 3, 2))
    f.create_dataset("empty", data=np.zeros(0, dtype="f8"))
    f.create_dataset("unwritten", shape=(3,), dtype="i4", fillvalue=9)
    smaller = f.create_dataset("smaller", data=x, maxshape=(None,), chunks=(33,))
    smaller.resize((70,))
    f["scalar"] = 7.5
    f["null"] = h5py.Empty("f4")
with h5py.File("periods.h5", "w") as f:
    for name, values in {"employment_income": np.array([1.0, 2, 3], dtype="f4"), "person_id": np.array([1, 2, 3])}.items():
        g = f.create_group(name)
        g["2024"] = values
        g["2025"] = values * 2
with h5py.File("many.h5", "w") as f:
    for i in range(70):
        f[f"variable_{i:03d}"] = np.full(2, i, dtype="f4")
with h5py.File("userblock.h5", "w", userblock_size=1024) as f:
    f["a"] = np.arange(3)
with h5py.File("compact.h5", "w") as f:
    compact = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    compact.set_layout(h5py.h5d.COMPACT)
    d = h5py.h5d.create(f.id, b"a", h5py.h5t.NATIVE_INT32, h5py.h5s.create_simple((4,)), compact)
    d.write(h5py.h5s.ALL, h5py.h5s.ALL, np.arange(4, dtype="i4"))
    f["records"] = np.array(
        [(1, 2.5, b"x", [1, 2], True), (3, 4.5, b"yz", [3, 4], False)],
        dtype=[("id", "i4"), ("value", "f8"), ("code", "S2"), ("pair", "i2", 2), ("old", "?")],
    )
    f["linked"] = h5py.SoftLink("/records")
    f["nowhere"] = h5py.SoftLink("/none")
    f["type"] = np.dtype("f8")
    typed = h5py.Dataset(h5py.h5d.create(f.id, b"typed", f["type"].id, h5py.h5s.create_simple((2,))))
    typed[:] = [1.5, 2.5]

df = pd.DataFrame({"person_id": [1, 2, 3], "age": [40.5, 7.0, np.nan], "region": ["LONDON", "WALES", "é"], "retired": [True, False, True], "grade": np.array([1, 2, 3], dtype="int8")})


def store(name, frames, **how):
    """Without indexes, which pandas would fill with 60 KB for each column."""
    with pd.HDFStore(name, "w", **how) as s:
        for key, frame in frames.items():
            s.put(key, frame, format="table", data_columns=True, index=False)


store("pandas_table.h5", {"person": df, "household": df[["age"]], "time_period": pd.Series([2023])})
store("pandas_zlib.h5", {"person": pd.concat([df] * 400, ignore_index=True)}, complib="zlib", complevel=9)
store("pandas_blosc.h5", {"person": df}, complib="blosc", complevel=9)
df[["person_id", "age", "grade"]].to_hdf("pandas_fixed.h5", key="person", format="fixed")


def text(v):
    if isinstance(v, (bytes, np.bytes_)):
        return v.decode()
    if isinstance(v, (float, np.floating)):
        return "nan" if np.isnan(v) else format(struct.unpack("<Q", struct.pack("<d", float(v)))[0], "x")
    if isinstance(v, (bool, np.bool_)):
        return str(int(v))
    return str(v)


def read(d):
    """The columns of a dataset as lists of texts."""
    if d.shape is None:
        return {"0": []}
    values = np.asarray(d[()])
    names = {v: k for k, v in (h5py.check_enum_dtype(d.dtype) or {}).items()}
    if values.dtype.names:
        out = {}
        for name in values.dtype.names:
            part = values[name]
            if part.ndim == 1:
                out[name] = [text(v) for v in part]
                continue
            for i in range(part.shape[1]):
                out[f"{name}[{i}]" if part.shape[1] > 1 else name] = [text(v) for v in part[:, i]]
        return out
    if values.size == 0:
        return {"0": []}
    rows = values.reshape(values.shape[0] if values.ndim else 1, -1)
    return {str(i): [names.get(v) or text(v) for v in rows[:, i]] for i in range(rows.shape[1])}


expected = {}
for name in sorted(os.listdir(".")):
    if not name.endswith(".h5") or name in ("latest_many.h5", "pandas_blosc.h5"):
        continue
    with h5py.File(name) as f:
        found = expected[name] = {}

        def visit(path, o):
            if isinstance(o, h5py.Dataset):
                found["/" + path] = read(o)

        f.visititems(visit)
with open("expected.json", "w") as f:
    json.dump(expected, f, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
