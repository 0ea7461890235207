from __future__ import annotations

import copy
from typing import Any, Dict

import numpy as np
import pytest

import edict_client


def test_calculate(law: edict_client.Law, situation: Dict[str, Any]) -> None:
    situation["foyers_fiscaux"]["ff"]["irpp"] = {"2024": None}
    answer = law.calculate(situation)
    assert answer["foyers_fiscaux"]["ff"]["irpp"]["2024"] == pytest.approx(-1587.9917)
    assert law.package == "edict-france"


def test_simulation(law: edict_client.Law, situation: Dict[str, Any]) -> None:
    before = copy.deepcopy(situation)
    simulation = edict_client.Simulation(law, situation)
    irpp = simulation.calculate("irpp", "2024")
    assert irpp.dtype == np.float32 and irpp.tolist() == [np.float32(-1587.9917)]
    assert simulation.calculate("irpp", 2024).tolist() == irpp.tolist()
    assert simulation.calculate_add("salaire_imposable", "2024").tolist() == [30000]
    assert simulation.calculate_divide("irpp", "2024-03")[0] == pytest.approx(-1587.9917 / 12)
    simulation.set_input("salaire_imposable", "2024", np.array([60000.0]))
    assert simulation.calculate("irpp", "2024")[0] == pytest.approx(-9365.48)
    assert situation == before, "the caller's situation stays as it was"


def test_simulation_says_what_is_missing(law: edict_client.Law) -> None:
    with pytest.raises(edict_client.EdictError, match="irpp belongs to foyers_fiscaux, and the situation has none"):
        edict_client.Simulation(law, {"individus": {"ada": {}}}).calculate("irpp", "2024")
    with pytest.raises(edict_client.EdictError, match="1 members here, and 2 values"):
        edict_client.Simulation(law, {"individus": {"ada": {}}}).set_input("salaire_imposable", "2024", [1, 2])


def test_what_if(law: edict_client.Law, situation: Dict[str, Any]) -> None:
    without = law.what_if(situation, "irpp", 2024, set={"impot_revenu.decote.taux": 0})
    assert without.base["irpp"][0] == pytest.approx(-1587.9917)
    assert without.reform["irpp"][0] == pytest.approx(-816.33, abs=0.01)
    assert without.difference("irpp")[0] == pytest.approx(771.66, abs=0.01)
    dated = law.what_if(situation, ["irpp"], "2024", set={"impot_revenu.decote.taux": {"2024-01-01": 0}})
    assert dated.reform["irpp"].tolist() == without.reform["irpp"].tolist()
    keyed = law.what_if(situation, ["irpp"], "2024", reform="tranche_superieure")
    assert keyed.reform["irpp"].tolist() == keyed.base["irpp"].tolist()
    with pytest.raises(edict_client.EdictError, match="give reform= or set="):
        law.what_if(situation, "irpp", 2024)


def test_why(law: edict_client.Law, situation: Dict[str, Any]) -> None:
    tree = law.why(situation, "irpp", "2024", depth=4)
    assert tree.value == pytest.approx(-1587.9917)
    decote = tree.find("decote")
    assert decote is not None and decote.value > 0
    assert {p["name"] for p in decote.parameters} >= {"impot_revenu.decote.taux"}
    assert str(tree).splitlines()[0].startswith("irpp 2024 = -1587.9917")
    assert "└─ " in str(tree)


def test_trace(law: edict_client.Law, situation: Dict[str, Any]) -> None:
    situation["foyers_fiscaux"]["ff"]["irpp"] = {"2024": None}
    (root,) = law.trace(situation)
    assert (root.name, root.period) == ("irpp", "2024")
    assert [step.name for step in root][0] == "ip_net"
    assert "rni<2024>" in str(root)


def test_curve(law: edict_client.Law, situation: Dict[str, Any]) -> None:
    curve = law.curve(situation, ["irpp", "revdisp"], "2024", along="salaire_imposable", min=0, max=60000, count=4)
    assert curve.x.tolist() == [0, 20000, 40000, 60000]
    assert curve["irpp"].tolist() == pytest.approx([0, -150.01685, -3965.48, -9365.48])
    assert curve.base is None
    changed = law.curve(situation, "irpp", "2024", along="salaire_imposable", min=0, max=60000, count=4, set={"impot_revenu.decote.taux": 0})
    assert changed.base is not None and changed.base["irpp"][:, 0].tolist() == curve["irpp"].tolist()


def test_plot(law: edict_client.Law, situation: Dict[str, Any]) -> None:
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed for this Python")
    matplotlib.use("Agg")
    curve = law.curve(situation, "irpp", "2024", along="salaire_imposable", min=0, max=60000, count=4, set={"impot_revenu.decote.taux": 0})
    axes = curve.plot()
    assert [line.get_label() for line in axes.get_lines()] == ["irpp", "irpp, without the reform"]


def test_search(law: edict_client.Law) -> None:
    assert law.search("décote")[0]["id"] == "decote"
    assert law.parameter("impot_revenu.decote.taux")["values"]["2020-01-01"] == 0.4525
    assert "allocation_unique" in [reform["key"] for reform in law.reforms()]


def test_refused(law: edict_client.Law, situation: Dict[str, Any]) -> None:
    with pytest.raises(edict_client.Refused, match='did you mean "irpp"') as refused:
        law.what_if(situation, "irp", 2024, set={"impot_revenu.decote.taux": 0})
    assert refused.value.status == 400 and refused.value.errors
    with pytest.raises(edict_client.Refused, match="individus/ada/age: .*specific periods"):
        law.calculate({"individus": {"ada": {"age": 40}}})
    with pytest.raises(edict_client.Refused) as unknown:
        law.variable_info("irp")
    assert unknown.value.status == 404
