"""Writes docs/guides/notebook.ipynb from the cells below: python3 clients/python/notebook.py; with --run it is executed as well (nbclient)."""

from __future__ import annotations

import json
import sys
from pathlib import Path

CELLS = [
    ("markdown", "# A law in a notebook\n\nInstall the wheel for your platform with `[pandas,plot,progress]`. It contains the server, and `Law()` starts it with the embedded law, a small model of French direct taxes and benefits."),
    ("code", "import edict_client\n\nlaw = edict_client.Law()\nlaw"),
    ("markdown", "## A household\n\nSituations have OpenFisca's form. `Simulation` works as in `openfisca_core`."),
    (
        "code",
        'ada = {\n    "individus": {"ada": {"date_naissance": {"ETERNITY": "1984-03-02"}, "salaire_imposable": {"2024": 30000}}},\n    "familles": {"f": {"parents": ["ada"]}},\n    "foyers_fiscaux": {"ff": {"declarants": ["ada"]}},\n    "menages": {"m": {"personne_de_reference": ["ada"]}},\n}\nsimulation = edict_client.Simulation(law, ada)\nsimulation.calculate("revdisp", "2024"), simulation.calculate("irpp", "2024")',
    ),
    ("markdown", "## Why?\n\nThe formula, the parameters and the values behind one figure."),
    ("code", 'print(law.why(ada, "irpp", 2024, depth=3))'),
    ("markdown", "## What if?\n\nThe décote reduces small amounts of income tax. Abolish it for single persons:"),
    ("code", 'changed = law.what_if(ada, ["irpp", "revdisp"], 2024, set={"impot_revenu.decote.celibataire": 0})\nchanged.difference("irpp"), changed.difference("revdisp")'),
    ("markdown", "## Along an axis\n\nDisposable income by salary, with and without a reform."),
    ("code", '%matplotlib inline\ncurve = law.curve(ada, "revdisp", 2024, along="salaire_imposable", min=0, max=40000, count=200, reform="allocation_unique")\ncurve.plot();'),
    ("markdown", "## A population\n\n`edict population sample` prints 50,000 synthetic households. They support no statement about France. Your own data is a DataFrame with a row per person."),
    ("code", 'import io\n\nimport pandas as pd\n\npersons = pd.read_csv(io.StringIO(edict_client.run("population", "sample")))\npersons.head()'),
    ("code", 'result = law.population(persons, "revdisp", 2022, weight="poids", by=["type_menage"], reform="allocation_unique")\nresult.frame.describe()'),
    ("code", 'pd.DataFrame(result.report["incomes"]).set_index("measure")'),
    ("code", 'pd.DataFrame(result.report["deciles"]).head(10)'),
    ("code", "law.close()"),
]


def notebook() -> dict:
    cells = []
    for number, (kind, source) in enumerate(CELLS):
        cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": source.splitlines(keepends=True)}
        if kind == "code":
            cell.update(execution_count=None, outputs=[])
        cells.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}


def main() -> None:
    path = Path(__file__).parent.parent.parent / "docs" / "guides" / "notebook.ipynb"
    text = json.dumps(notebook(), indent=1, ensure_ascii=False) + "\n"
    if "--run" not in sys.argv:
        path.write_text(text, encoding="utf-8")
        return
    if path.read_text(encoding="utf-8") != text:
        sys.exit("docs/guides/notebook.ipynb is not what notebook.py writes: run python3 clients/python/notebook.py")
    import nbclient
    import nbformat

    done = nbclient.execute(nbformat.reads(text, as_version=4), timeout=300, kernel_name="python3")
    for cell in done.cells:
        for output in cell.get("outputs", []):
            print(output.get("text") or output.get("data", {}).get("text/plain") or "")


main()
