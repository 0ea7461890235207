package policyengine_test

import (
	"reflect"
	"testing"

	"edict/simulation/legislation"
	"edict/simulation/policyengine"
	"edict/simulation/pysyntax"
)

func TestRead(t *testing.T) {
	const class = "class Simulation(CoreSimulation):\n    def __init__(self, **kwargs):\n        start = kwargs.pop('start_instant', FIRST)\n        super().__init__(**kwargs)\n"
	for name, c := range map[string]struct {
		text string
		want policyengine.Simulation
	}{
		"no class":       {"class Microsimulation:\n    def __init__(self):\n        self.move_values('a', 'b')\n", policyengine.Simulation{}},
		"no constructor": {"class Simulation(CoreSimulation):\n    default_role = 'member'\n", policyengine.Simulation{}},
		"two ways to move": {class + `
        wage = self.get_holder("wage")
        for known_period in wage.get_known_periods():
            self.set_input("wage_before", known_period, wage.get_array(known_period))
            wage.delete_arrays(known_period)
        self.move_values("tips", "tips_before")
`, policyengine.Simulation{Preparation: legislation.Preparation{Moves: []legislation.Move{{From: "wage", To: "wage_before"}, {From: "tips", To: "tips_before"}}, AsGiven: true}}},
		"lists inputs again, and has a baseline": {class + "        self.move_values('a', 'b')\n        self.input_variables = []\n        self.baseline = self.clone()\n",
			policyengine.Simulation{Preparation: legislation.Preparation{Moves: []legislation.Move{{From: "a", To: "b"}}, OwnBaseline: true}}},
		"a function of the module": {`
def backfill(simulation):
    code = simulation.get_holder("code")
    if code.get_known_periods():
        return
    text = simulation.get_holder("text")
    for known in text.get_known_periods():
        simulation.set_input("code", known, Code.encode(text.get_array(known)))
` + class + "        backfill(self)\n",
			policyengine.Simulation{Preparation: legislation.Preparation{Moves: []legislation.Move{{From: "text", To: "code", Spare: true}}, AsGiven: true}}},
		"code of another module": {class + "        given.modify(self)\n        from scenarios import july\n        july.modify(self)\n        later.modify(self)\n", policyengine.Simulation{Preparation: legislation.Preparation{Partial: "july.modify"}}},
		"a policy by years":      {class + "        if scenario is not None:\n            self.apply_scenario_parameters(scenario)\n", policyengine.Simulation{Yearly: true}},
		"switches on a constant": {class + "        found = create_structural_reforms_from_parameters(self.tax_benefit_system.parameters, start)\n",
			policyengine.Simulation{Switches: &policyengine.Switches{Function: "create_structural_reforms_from_parameters", Day: "FIRST"}}},
		"switches on an attribute": {class + "        found = create_structural_reforms_from_parameters(self.tax_benefit_system.parameters, period_(self.default_input_period))\n",
			policyengine.Simulation{Switches: &policyengine.Switches{Function: "create_structural_reforms_from_parameters", Day: "default_input_period", Own: true, Through: "period_"}}},
	} {
		t.Run(name, func(t *testing.T) {
			tree, err := pysyntax.ParseText("simulation.py", c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := policyengine.Read(tree); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestCountry(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "policyengine_uk": "uk", "policyengine-us==2.68.0": "us", "policyengine_canada-0.99.1-py3-none-any.whl": "ca", "policyengine_core": "", "openfisca_uk": "",
	} {
		if got := policyengine.Country(name); got != want {
			t.Errorf("%q is of %q, want %q", name, got, want)
		}
	}
}
