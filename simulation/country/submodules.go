package country

import py "edict/simulation/pyeval"

// submodules are the files that the modules of openfisca_core are made of, there and in earlier versions: packages import
// from them too. Here a file is the module that it is part of.
var submodules = map[string][]string{
	"commons":           {"dummy", "formulas", "misc", "rates"},
	"entities":          {"_core_entity", "entity", "group_entity", "helpers", "role"},
	"errors":            {"cycle_error", "empty_argument_error", "nan_creation_error", "parameter_not_found_error", "parameter_parsing_error", "period_mismatch_error", "situation_parsing_error", "spiral_error", "variable_name_config_error", "variable_not_found_error"},
	"holders":           {"helpers", "holder"},
	"indexed_enums":     {"_errors", "config", "enum", "enum_array"},
	"parameters":        {"at_instant_like", "config", "helpers", "parameter", "parameter_at_instant", "parameter_node", "parameter_node_at_instant", "parameter_scale", "parameter_scale_bracket", "values_history", "vectorial_parameter_node_at_instant"},
	"periods":           {"_errors", "config", "date_unit", "helpers", "instant_", "period_"},
	"populations":       {"_core_population", "_errors", "config", "group_population", "population"},
	"projectors":        {"entity_to_person_projector", "first_person_to_entity_projector", "helpers", "projector", "unique_role_to_entity_projector"},
	"reforms":           {"reform"},
	"simulations":       {"helpers", "simulation", "simulation_builder"},
	"taxbenefitsystems": {"tax_benefit_system"},
	"taxscales":         {"abstract_rate_tax_scale", "abstract_tax_scale", "amount_tax_scale_like", "helpers", "linear_average_rate_tax_scale", "marginal_amount_tax_scale", "marginal_rate_tax_scale", "rate_tax_scale_like", "single_amount_tax_scale", "tax_scale_like"},
	"variables":         {"helpers", "variable"},
}

// policySubmodules are those of policyengine_core.
var policySubmodules = map[string][]string{
	"commons":           {"misc", "rates"},
	"data":              {"dataset"},
	"entities":          {"entity", "group_entity", "helpers", "role"},
	"enums":             {"config", "enum", "enum_array"},
	"errors":            {"cycle_error", "empty_argument_error", "nan_creation_error", "parameter_not_found_error", "parameter_parsing_error", "period_mismatch_error", "situation_parsing_error", "spiral_error", "variable_name_config_error", "variable_not_found_error"},
	"holders":           {"helpers", "holder"},
	"parameters":        {"config", "helpers", "parameter", "parameter_at_instant", "parameter_node", "parameter_node_at_instant", "parameter_scale", "parameter_scale_bracket", "vectorial_parameter_node_at_instant"},
	"periods":           {"config", "helpers", "instant_", "period_"},
	"populations":       {"config", "group_population", "population"},
	"projectors":        {"entity_to_person_projector", "first_person_to_entity_projector", "helpers", "projector", "unique_role_to_entity_projector"},
	"reforms":           {"reform"},
	"simulations":       {"helpers", "individual_sim", "microsimulation", "simulation", "simulation_builder"},
	"taxbenefitsystems": {"tax_benefit_system"},
	"taxscales":         {"abstract_rate_tax_scale", "abstract_tax_scale", "amount_tax_scale_like", "helpers", "linear_average_rate_tax_scale", "marginal_amount_tax_scale", "marginal_rate_tax_scale", "rate_tax_scale_like", "single_amount_tax_scale", "tax_scale_like"},
	"variables":         {"config", "helpers", "variable"},
}

func addSubmodules(p *py.Program) {
	for module, files := range policySubmodules {
		for _, file := range files {
			p.AddAlias("policyengine_core."+module+"."+file, "policyengine_core."+module)
		}
	}
	for module, files := range submodules {
		for _, file := range files {
			p.AddAlias("openfisca_core."+module+"."+file, "openfisca_core."+module)
		}
	}
	p.AddAlias("openfisca_core.simulation_builder", "openfisca_core.simulations")
}
