"""Writes packaging.json: how the package packaging orders versions and which of them ranges allow.

    python record.py > packaging.json
"""
import json
import sys

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

VERSIONS = """0 0.0.1 0.9 1 1.0 1.0.0 v1.0 1.0a1 1.0alpha1 1.0.alpha.1 1.0b2 1.0-beta_3 1.0rc1 1.0c2 1.0pre3 1.0-preview-4 1.0.dev1 1.0a1.dev3
1.0rc1.post2 1.0rc1.post2.dev1 1.0.post1 1.0-1 1.0.rev2 1.0r3 1.0.post1.dev4 1.0.POST 1.0+local 1.0+1 1.0+1.2 1.0+abc.5 1.0+5.abc 1.0.1 1.1 1.2 1.2.3 1.2.3.4
1.10 2 2.0.0.0 2.1a 2.1.dev 10 1!0.5 1!1.0 2!0.1 2024.1 2024.10.1 176.1.8 8.2.0 8.10.0 8.9""".split()
WRONG = ["", "x", "1.", "1..2", "1.0-", "1.0+", "1.0+a_", "french toast", "1.0a1b2", "1!", "1.0.*"]
RANGES = ["", "==1.0", "==1.0.*", "!=1.0", "!=1.0.*", ">=1.0", ">1.0", "<1.0", "<=1.0", "~=1.0", "~=1.2.3", "==1.0+local", "===1.0", ">=1.0a1,<2", ">1.0.post1",
          "<1.0rc1", ">=8,<9", "==8.*", "~=8.2", "==1!1.0", ">=1!0", "!=8.9,>8"]
REQUIREMENTS = ["openfisca-france", "OpenFisca_France >= 170, < 171", "openfisca.core[web-api]==44.*", "a (>=1.0)", "a[x,y]>=1 ; python_version < '3.9'",
                "b==1.0; extra == 'test'", "c~=1.2 ; extra == \"dev\" and os_name == 'nt'"]

out = {"order": [str(v) for v in VERSIONS], "ranks": [], "pre": [], "wrong": [], "allows": {}, "requirements": []}
ranks = sorted({Version(v) for v in VERSIONS})
for v in VERSIONS:
    out["ranks"].append(ranks.index(Version(v)))
    out["pre"].append(Version(v).is_prerelease)
for text in WRONG:
    try:
        Version(text)
    except InvalidVersion:
        out["wrong"].append(text)
for r in RANGES:
    out["allows"][r] = [SpecifierSet(r).contains(v, prereleases=True) for v in VERSIONS]
for text in REQUIREMENTS:
    r = Requirement(text)
    out["requirements"].append({"text": text, "name": canonicalize_name(r.name), "allows": [r.specifier.contains(v, prereleases=True) for v in VERSIONS]})
json.dump(out, sys.stdout)
print()
