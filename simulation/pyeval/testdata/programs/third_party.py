# Small libraries that packages lean on.
import unicodedata

import bottleneck
import numpy as np
from slugify import slugify

for text in "Dépenses d'énergie", "  Œuvre n°3 -- l’été ", "01.1.1_A", "1,000 & more", "Straße", "a_b", "", "déjà vu!":
    print(repr(slugify(text)), repr(slugify(text, separator="_")))
print(slugify("Été À LA mer", lowercase=False), slugify("one two three", max_length=7), slugify("the one the two", stopwords=["the"]))
print(slugify("a.b|c", replacements=[["|", "or"]]), slugify("x_y", regex_pattern=r"[^-a-z0-9_]+"))
print([len(unicodedata.normalize(form, "é")) for form in ("NFC", "NFD", "NFKC", "NFKD")], unicodedata.combining("\u0301"), unicodedata.combining("a"))
v = np.array([4.0, 1.0, 3.0, np.nan])
print(bottleneck.nansum(v), bottleneck.nanmean(v), bottleneck.nanmax(v), bottleneck.anynan(v), bottleneck.allnan(v), -np.sort(bottleneck.partition(-v[:3], kth=1)[:2]))
