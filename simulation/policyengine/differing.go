package policyengine

import "edict/simulation/legislation"

// Differing lists the variables of a package whose values need a step of its class Simulation that does not run here.
func Differing(name string) []legislation.Differing {
	if Country(name) != "uk" {
		return nil
	}
	return []legislation.Differing{
		// The step sets the protected amount of the health element.
		{Variable: "uc_LCWRA_element", From: 2026},
		// Formulas that divide by totals of the dataset, which the constructor makes of the household.
		{Variable: "shareholding"},
		{Variable: "nhs_budget_change"},
		{Variable: "education_budget_change"},
		{Variable: "other_public_spending_budget_change"},
		{Variable: "consumer_incident_tax_revenue_change"},
		{Variable: "consumption_shareholding", Requested: true},
		{Variable: "pre_budget_change_ons_household_income_decile", Requested: true},
	}
}
