package simapi

// The examples of the routes that describe the legislation, in the words of the embedded one: what a server with it answers,
// shortened.
var (
	exampleBrief  = object{{"id", "irpp"}, {"label", labelIrpp}, {"entity", "foyer_fiscal"}, {"type", "Float"}, {"period", "year"}, {"formula", true}}
	exampleSearch = object{
		{"apiVersion", 1}, {"method", "/api/2/search"}, {"params", object{{"q", "decotte"}, {"kind", "variable"}}}, {"total", 1},
		{"results", list{object{
			{"kind", "variable"}, {"id", "decote"}, {"label", "Décote"}, {"entity", "foyer_fiscal"}, {"type", "Float"}, {"period", "year"}, {"formula", true},
			{"reasons", list{object{{"word", "decotte"}, {"matches", "decote"}, {"in", "id"}, {"how", "typo"}}}},
		}}},
		{"url", "http://localhost:8080/api/2/search?kind=variable&q=decotte"},
	}
	exampleCatalogue = object{
		{"apiVersion", 1}, {"country_package_name", "edict-france"}, {"country_package_version", "1.0.0"}, {"language", "fr"}, {"income", "revdisp"},
		{"entities", list{list{"foyer_fiscal", "foyers_fiscaux", "Foyer fiscal", list{list{"declarant", "declarants", "Déclarants"}}}}}, {"types", []string{"Float"}}, {"periods", []string{"year"}},
		{"fields", []string{"id", "label", "entity", "type", "period", "formula", "longer"}}, {"variables", list{list{"irpp", labelIrpp, 2, 4, 1, 1, 0}}},
		{"parameters", object{{"impot_revenu", list{object{{"decote", list{"Décote", object{{"taux", labelTaux}}}}}}}}},
	}
	exampleVariablePage = object{{"apiVersion", 1}, {"method", "/api/2/variable/irpp"}, {"variable", object{
		{"id", "irpp"}, {"label", labelIrpp}, {"entity", object{{"key", "foyer_fiscal"}, {"plural", "foyers_fiscaux"}, {"label", "Foyer fiscal"}}},
		{"type", "Float"}, {"default", 0.0}, {"period", "year"}, {"unit", "currency"},
		{"formulas", list{object{
			{"start", nil}, {"stop", nil}, {"text", "def formula(foyer_fiscal, period):\n    return 0 - (foyer_fiscal(\"ip_net\", period) + foyer_fiscal(\"contribution_exceptionnelle_hauts_revenus\", period))\n"},
			{"names", list{object{{"kind", "variable"}, {"id", "ip_net"}, {"line", 2}, {"column", 31}, {"length", 6}}}}, {"dynamic", list{}},
		}}},
		{"inputs", list{object{{"id", "ip_net"}, {"static", true}, {"seen", false}}}}, {"parameters", list{}}, {"consumers", list{object{{"id", "impots_directs"}, {"static", true}, {"seen", false}}}},
	}}}
	exampleParameterPage = object{{"apiVersion", 1}, {"method", "/api/2/parameter/impot_revenu.decote.taux"}, {"parameter", object{
		{"id", "impot_revenu.decote.taux"}, {"label", labelTaux}, {"type", "Parameter"}, {"unit", "/1"},
		{"values", list{object{{"start", "2020-01-01"}, {"stop", nil}, {"value", 0.4525}}}},
		{"variables", list{object{{"id", "decote"}, {"static", true}, {"seen", false}}}},
	}}}
	exampleLawGraph = object{
		{"apiVersion", 1}, {"method", "/api/2/graph"}, {"params", object{{"variable", "irpp"}, {"direction", "inputs"}, {"depth", 1}}},
		{"nodes", list{append(exampleBrief[:6:6], member{"distance", 0}), object{{"id", "ip_net"}, {"distance", 1}, {"more", true}}}},
		{"edges", list{object{{"from", "ip_net"}, {"to", "irpp"}, {"static", true}, {"seen", false}}}}, {"truncated", false},
	}
)
