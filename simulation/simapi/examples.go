package simapi

// The examples of the documentation, in the words of the embedded legislation.
var (
	exampleSituation = object{
		{"individus", object{{"ada", object{{"salaire_imposable", object{{"2024", 30000}}}}}}},
		{"menages", object{{"m", object{{"personne_de_reference", []string{"ada"}}, {"revdisp", object{{"2024", nil}}}}}}},
	}
	exampleAnswer = object{
		{"individus", object{{"ada", object{{"salaire_imposable", object{{"2024", 30000}}}}}}},
		{"menages", object{{"m", object{{"personne_de_reference", []string{"ada"}}, {"revdisp", object{{"2024", 27528.5}}}}}}},
	}
	exampleTrace = object{
		{"trace", object{{"irpp<2024>", object{{"dependencies", []string{"rni<2024>"}}, {"parameters", object{}}, {"value", list{-1688.0}}, {"calculation_time", 0.0001}, {"formula_time", 0.00005}}}}},
		{"entitiesDescription", object{{"individus", []string{"ada"}}}},
		{"requestedCalculations", []string{"irpp<2024>"}},
	}
	exampleEntities  = object{{"individu", object{{"plural", "individus"}, {"description", "Personne"}, {"documentation", ""}}}}
	exampleIndex     = object{{"irpp", object{{"description", "Impôt sur le revenu"}, {"href", "http://localhost:8080/variable/irpp"}}}}
	exampleVariable  = object{{"id", "irpp"}, {"description", "Impôt sur le revenu"}, {"valueType", "Float"}, {"defaultValue", 0}, {"definitionPeriod", "YEAR"}, {"entity", "foyer_fiscal"}}
	exampleParameter = object{{"id", "impot_revenu.decote.taux"}, {"description", "Taux de la décote"}, {"metadata", object{}}, {"values", object{{"2019-01-01", 0.4525}}}}
)

// Examples of /api/1.
var (
	exampleScenarios = object{
		{"variables", []string{"revdisp"}},
		{"scenarios", list{object{{"period", "2024"}, {"test_case", object{
			{"individus", list{object{{"id", "ada"}, {"salaire_imposable", 30000}}}},
			{"familles", list{object{{"parents", []string{"ada"}}}}},
			{"foyers_fiscaux", list{object{{"declarants", []string{"ada"}}}}},
			{"menages", list{object{{"personne_de_reference", "ada"}}}},
		}}}}},
	}
	exampleCalculate = object{{"apiVersion", 1}, {"method", "/api/1/calculate"}, {"params", object{}}, {"suggestions", list{}}, {"value", list{}}, {"url", "http://localhost:8080/api/1/calculate"}}
	exampleSimulate  = object{{"apiVersion", 1}, {"method", "/api/1/simulate"}, {"params", object{}}, {"suggestions", list{}}, {"value", object{{"code", "revdisp"}, {"values", list{27528.5}}}}, {"url", "http://localhost:8080/api/1/simulate"}}
)

// Examples of why.
var (
	exampleWhyAsked = append(object{{"figure", object{{"variable", "af"}, {"period", "2024"}}}, {"depth", 1}}, exampleScenarios[1:]...)
	exampleWhy      = object{{"apiVersion", 1}, {"method", "/api/2/why"}, {"suggestions", list{}}, {"depth", 1}, {"figure", "af<2024>[0]"}, {"value", object{
		{"variable", "af"}, {"entity", "famille"}, {"period", "2024"}, {"index", 0}, {"value", 0.0}, {"origin", "formula"},
		{"because", list{object{{"line", 40}, {"text", "nb_enfants >= 2"}, {"is", false}, {"sides", list{object{{"text", "nb_enfants"}, {"value", 0}}, object{{"text", "2"}, {"value", 2}}}}}}},
	}}, {"url", "http://localhost:8080/api/2/why"}}
)
