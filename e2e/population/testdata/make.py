"""Writes the persons of e2e.FourPersons (e2e/population.go) as pandas stores a table in HDF5.

pip install tables pandas; python make.py
"""
import io
import os
import re

import pandas as pd

os.chdir(os.path.dirname(os.path.abspath(__file__)))
text = re.search(r"FourPersons = `(.*?)`", open("../../population.go").read(), re.S).group(1)
with pd.HDFStore("four.h5", "w", complib="zlib", complevel=9) as store:
    store.put("person", pd.read_csv(io.StringIO(text)), format="table", data_columns=True, index=False)
