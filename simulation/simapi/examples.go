package simapi

import "edict/platform/web"

// The examples of the documentation, in the words of the embedded legislation: what a server with it answers, shortened.

const (
	labelIrpp = "Impôt sur le revenu et contribution sur les hauts revenus (montant négatif)"
	labelTaux = "Fraction de l'impôt déduite du montant de la décote"
)

var (
	exampleSituation = object{
		{"individus", object{{"ada", object{{"salaire_imposable", object{{"2024", 30000}}}}}}},
		{"menages", object{{"m", object{{"personne_de_reference", []string{"ada"}}, {"revdisp", object{{"2024", nil}}}}}}},
	}
	exampleAnswer = object{
		{"individus", object{{"ada", object{{"salaire_imposable", object{{"2024", 30000}}}}}}},
		{"menages", object{{"m", object{{"personne_de_reference", []string{"ada"}}, {"revdisp", object{{"2024", 27369.717}}}}}}},
	}
	exampleTracedAxes = web.Example{Name: "axes", Summary: "Along an axis: all entities are required", Value: object{
		{"individus", object{{"ada", object{}}}},
		{"familles", object{{"f", object{{"parents", []string{"ada"}}}}}},
		{"foyers_fiscaux", object{{"ff", object{{"declarants", []string{"ada"}}, {"irpp", object{{"2024", nil}}}}}}},
		{"menages", object{{"m", object{{"personne_de_reference", []string{"ada"}}}}}},
		{"axes", list{list{object{{"name", "salaire_imposable"}, {"min", 0}, {"max", 60000}, {"count", 3}, {"period", "2024"}}}}},
	}}
	exampleTrace = object{
		{"trace", object{{"decote<2024>", object{
			{"dependencies", []string{"ir_plaf_qf<2024>", "maries_ou_pacses<2024>"}},
			{"parameters", object{{"impot_revenu.decote.celibataire<2024-01-01>", 889}, {"impot_revenu.decote.couple<2024-01-01>", 1470}, {"impot_revenu.decote.taux<2024-01-01>", 0.4525}}},
			{"value", list{117.33819580078125}}, {"calculation_time", 0.00001}, {"formula_time", 0.00001},
		}}}},
		{"entitiesDescription", object{{"individus", []string{"ada"}}}},
		{"requestedCalculations", []string{"revdisp<2024>"}},
	}
	exampleEntities   = object{{"individu", object{{"plural", "individus"}, {"description", "Personne"}, {"documentation", ""}}}}
	exampleVariables  = object{{"irpp", object{{"description", labelIrpp}, {"href", "http://localhost:8080/variable/irpp"}}}}
	exampleParameters = object{{"impot_revenu.decote.taux", object{{"description", labelTaux}, {"href", "http://localhost:8080/parameter/impot_revenu/decote/taux"}}}}
	exampleVariable   = object{{"id", "irpp"}, {"description", labelIrpp}, {"valueType", "Float"}, {"defaultValue", 0}, {"definitionPeriod", "YEAR"}, {"entity", "foyer_fiscal"}}
	exampleParameter  = object{{"id", "impot_revenu.decote.taux"}, {"description", labelTaux}, {"metadata", object{{"unit", "/1"}}}, {"values", object{{"2020-01-01", 0.4525}, {"2015-01-01", 0.75}}}}
)

// Examples of /api/1.
var (
	exampleTestCase = object{
		{"individus", list{object{{"id", "ada"}, {"salaire_imposable", 30000}}}},
		{"familles", list{object{{"parents", []string{"ada"}}}}},
		{"foyers_fiscaux", list{object{{"declarants", []string{"ada"}}}}},
		{"menages", list{object{{"personne_de_reference", "ada"}}}},
	}
	exampleScenario  = object{{"period", "2024"}, {"test_case", exampleTestCase}}
	exampleScenarios = object{{"variables", []string{"revdisp"}}, {"scenarios", list{exampleScenario}}}
	exampleReforms   = member{"reforms", list{object{
		{"name", "A lower second rate"}, {"parameters", object{{"impot_revenu.bareme.brackets[1].rate", object{{"2024-01-01.2024-12-31", 0.1}}}}},
	}}}
	exampleSuggestions = list{object{{"scenario", 0}, {"entity", "individus"}, {"id", "ada"}, {"variable", "date_naissance"}, {"period", "ETERNITY"}, {"value", "1984-01-01"}}}
	exampleCalculate   = object{
		{"apiVersion", 1}, {"method", "/api/1/calculate"}, {"params", exampleScenarios}, {"suggestions", exampleSuggestions},
		{"value", list{object{{"menages", list{object{{"personne_de_reference", "ada"}, {"revdisp", object{{"2024", 27369.717}}}}}}}}},
		{"url", "http://localhost:8080/api/1/calculate"},
	}
	exampleSimulate = object{
		{"apiVersion", 1}, {"method", "/api/1/simulate"}, {"suggestions", exampleSuggestions},
		{"value", object{{"code", "revdisp"}, {"name", "Revenu disponible"}, {"short_name", "Rev. disponible"}, {"color", []int{4, 89, 159}}, {"values", list{27369.715}}}},
		{"url", "http://localhost:8080/api/1/simulate"},
	}
	moreScenarios = []web.Example{
		{Name: "axes", Summary: "Eleven salaries from 0 to 60 000", Value: object{
			{"variables", []string{"irpp"}}, {"output_format", "variables"},
			{"scenarios", list{append(exampleScenario[:2:2], member{"axes", list{object{{"name", "salaire_imposable"}, {"min", 0}, {"max", 60000}, {"count", 11}}}})}},
		}},
		{Name: "grid", Summary: "Two combined axes; in one of them two variables vary together", Value: object{
			{"variables", []string{"irpp"}}, {"output_format", "variables"},
			{"scenarios", list{append(exampleScenario[:2:2], member{"axes", list{
				list{
					object{{"name", "salaire_imposable"}, {"min", 0}, {"max", 60000}, {"count", 3}},
					object{{"name", "retraite_imposable"}, {"min", 0}, {"max", 6000}, {"count", 3}},
				},
				list{object{{"name", "loyer"}, {"min", 0}, {"max", 12000}, {"count", 2}, {"index", 0}, {"period", "2024"}}},
			}})}},
		}},
		{Name: "reform", Summary: "The effect of a reform written as data", Value: append(exampleScenarios[:2:2], exampleReforms)},
		{Name: "reforms", Summary: "A reform of the legislation, on top of another parameter and without a benefit", Value: append(exampleScenarios[:2:2],
			member{"base_reforms", list{object{{"parameters", object{{"impot_revenu.decote.taux", object{{"2024-01-01", 0}}}}}, {"neutralize", []string{"af"}}}}},
			member{"reforms", []string{"tranche_superieure"}})},
		{Name: "periods", Summary: "Variables with different periods, and members by id", Value: object{
			{"variables", list{object{{"name", "age"}, {"period", "2024-06"}}, "irpp"}},
			{"scenarios", list{object{{"period", "2024"}, {"test_case", object{
				{"individus", object{{"ada", object{{"date_naissance", "1980-05-01"}, {"salaire_imposable", object{{"2024", 30000}, {"2023", 28000}}}}}}},
				{"familles", object{{"f", object{{"parents", []string{"ada"}}}}}},
				{"foyers_fiscaux", object{{"ff", object{{"declarants", []string{"ada"}}}}}},
				{"menages", object{{"m", object{{"personne_de_reference", "ada"}}}}},
			}}}}},
		}},
		{Name: "columns", Summary: "Two single-person households", Value: object{
			{"variables", []string{"irpp"}}, {"output_format", "variables"},
			{"scenarios", list{object{{"period", "2024"}, {"input_variables", object{{"salaire_imposable", list{30000, 60000}}}}}}},
		}},
	}
	moreSimulated = []web.Example{{Name: "reform", Summary: "The effect of a reform written as data", Value: append(object{exampleScenarios[1]}, exampleReforms)}}
)

// Examples of why.
var (
	exampleWhyAsked = append(object{{"figure", object{{"variable", "af_base_taux_plein"}, {"period", "2024-01"}}}, {"depth", 1}}, exampleScenarios[1])
	exampleWhy      = object{{"apiVersion", 1}, {"method", "/api/2/why"}, {"suggestions", exampleSuggestions}, {"depth", 1}, {"figure", "af_base_taux_plein<2024-01>[0]"}, {"value", object{
		{"variable", "af_base_taux_plein"}, {"entity", "famille"}, {"period", "2024-01"}, {"index", 0}, {"value", 0.0}, {"origin", "formula"},
		{"formula", object{{"file", "edict_france/variables/prestations_familiales.py"}, {"line", 101}}},
		{"because", list{object{{"line", 104}, {"text", "enfants >= 2"}, {"is", false}, {"sides", list{
			object{{"text", "enfants"}, {"value", 0}, {"variable", "af_nbenf"}}, object{{"text", "2"}, {"value", 2}},
		}}}}},
	}}, {"url", "http://localhost:8080/api/2/why"}}
	moreWhy = []web.Example{
		{Name: "branch", Summary: "One branch, opened further", Value: append(object{
			{"figure", object{{"variable", "revdisp"}, {"index", 0}}}, {"path", []string{"revdisp", "impots_directs"}}, {"depth", 2},
		}, exampleScenarios[1])},
		{Name: "reform", Summary: "A figure under a reform", Value: append(object{{"figure", object{{"variable", "irpp"}}}, exampleScenarios[1]}, exampleReforms)},
	}
)
