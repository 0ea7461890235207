from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List

import pytest

import edict_client

COLUMNS: Dict[str, List[Any]] = {
    "individu_id": ["anna", "boris", "cleo", "dan"],
    "menage_id": [1, 1, 1, 2],
    "menage_role": ["personne_de_reference", "conjoint", "enfant", "personne_de_reference"],
    "famille_id": [1, 1, 1, 2],
    "famille_role": ["parent", "parent", "enfant", "parent"],
    "foyer_fiscal_id": [1, 1, 1, 2],
    "foyer_fiscal_role": ["declarant", "declarant", "personne_a_charge", "declarant"],
    "date_naissance": ["1985-03-02", "1983-11-20", "2014-06-01", "1999-01-15"],
    "statut_marital": ["marie", "marie", "celibataire", "celibataire"],
    "salaire_imposable": [24000.0, 18000.0, None, 9600.0],
    "loyer": [700.0, None, None, 450.0],
}
EXPECTED = [41121.727, 12902.924]


def test_pandas(law: edict_client.Law) -> None:
    pd = pytest.importorskip("pandas", reason="pandas is not installed for this Python")
    persons = pd.DataFrame(COLUMNS)
    persons["statut_marital"] = persons["statut_marital"].astype("category")
    persons["date_naissance"] = pd.to_datetime(persons["date_naissance"]).dt.date
    shares: List[float] = []
    result = law.population(persons, "revdisp", 2022, progress=shares.append)
    assert isinstance(result.frame, pd.DataFrame)
    assert result.frame["revdisp"].tolist() == pytest.approx(EXPECTED)
    assert shares[-1] == 1 and shares == sorted(shares)
    assert result.total("revdisp")["base"] == pytest.approx(sum(EXPECTED))


def test_pandas_reform(law: edict_client.Law) -> None:
    pd = pytest.importorskip("pandas", reason="pandas is not installed for this Python")
    persons = pd.DataFrame(COLUMNS).assign(w=2.0, region="a")
    result = law.population(persons, ["revdisp", "nbptr"], "2022", weight="w", reform="allocation_unique", by="region", progress=False)
    assert sorted(result.frames) == ["foyer_fiscal", "menage"]
    assert result["foyer_fiscal"]["nbptr"].tolist() == [2.5, 1]
    assert list(result["menage"].columns) == ["menage_id", "revdisp", "revdisp_reform", "revdisp_difference"]
    assert [split["column"] for split in result.report["by"]] == ["region"]
    assert result.total("revdisp")["difference"] == pytest.approx(2 * 20366, abs=1)
    alone = law.population(persons, "revdisp", "2022", set={"impot_revenu.decote.taux": 0}, compare=False, weight="w", keep="region", progress=False)
    assert list(alone.frame.columns) == ["menage_id", "region", "revdisp"]
    with pytest.raises(edict_client.EdictError, match="a frame for each of"):
        result.frame


def test_pandas_precision(law: edict_client.Law) -> None:
    pd = pytest.importorskip("pandas", reason="pandas is not installed for this Python")
    persons = pd.DataFrame(COLUMNS).assign(w=2.0, r1=[4.0, 4.0, 4.0, 0.0], r2=[0.0, 0.0, 0.0, 4.0])
    report = law.population(persons, "revdisp", 2022, weight="w", replicate_weights="r", replicate_method="brr", progress=False).report
    assert report["provenance"]["options"]["replicate-weights"] == ["r"]
    assert len(report["provenance"]["inputs"][0]["sha256"]) == 64
    total = next(f for f in report["precision"]["figures"] if (f["of"], f["measure"]) == ("revdisp", "total"))
    assert total["standardError"]["base"] == pytest.approx(2 * (EXPECTED[0] - EXPECTED[1]), abs=1)


def test_polars(law: edict_client.Law) -> None:
    pl = pytest.importorskip("polars", reason="polars is not installed for this Python")
    result = law.population(pl.DataFrame(COLUMNS), "revdisp", 2022, progress=False)
    assert isinstance(result.frame, pl.DataFrame)
    assert result.frame["revdisp"].to_list() == pytest.approx(EXPECTED)
    lazy = law.population(pl.DataFrame(COLUMNS).lazy(), "revdisp", 2022, progress=False)
    assert lazy.frame.equals(result.frame)


def test_arrow(law: edict_client.Law) -> None:
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed for this Python")
    result = law.population(pa.table(COLUMNS), "revdisp", 2022, progress=False)
    assert isinstance(result.frame, pa.Table)
    assert result.frame.column("revdisp").to_pylist() == pytest.approx(EXPECTED)


def test_file(law: edict_client.Law, tmp_path: Path) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed for this Python")
    lines = [",".join(COLUMNS)] + [",".join("" if v is None else str(v) for v in row) for row in zip(*COLUMNS.values())]
    path = tmp_path / "persons.csv"
    path.write_text("\n".join(lines) + "\n")
    assert law.population(path, "revdisp", 2022, progress=False).frame["revdisp"].tolist() == pytest.approx(EXPECTED)
    with pytest.raises(edict_client.EdictError, match="nobody.csv cannot be read: No such file"):
        law.population(tmp_path / "nobody.csv", "revdisp", 2022)


def test_wrong(law: edict_client.Law) -> None:
    pd = pytest.importorskip("pandas", reason="pandas is not installed for this Python")
    with pytest.raises(edict_client.Refused, match='did you mean "revdisp"'):
        law.population(pd.DataFrame(COLUMNS), "revdis", 2022)
    bad = pd.DataFrame(COLUMNS).assign(statut_marital=["marie", "marie", "celibatair", "celibataire"])
    with pytest.raises(edict_client.PopulationFailed, match="celibatair"):
        law.population(bad, "revdisp", 2022, progress=False)
    misspelt = pd.DataFrame(COLUMNS).rename(columns={"loyer": "loyers"})
    with pytest.raises(edict_client.PopulationFailed, match="loyer"):
        law.population(misspelt, "revdisp", 2022, progress=False)
    mixed = pd.DataFrame({"individu_id": ["a", 1], "salaire_imposable": ["x", 1.0]})
    with pytest.raises(edict_client.EdictError, match="several kinds"):
        law.population(mixed, "revdisp", 2022)
    with pytest.raises(edict_client.EdictError, match="DataFrame of pandas or polars"):
        law.population([1, 2], "revdisp", 2022)
