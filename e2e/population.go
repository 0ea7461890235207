package e2e

// FourPersons is a small population, FourOptions what is computed for it.
const (
	FourPersons = `individu_id,menage_id,menage_role,famille_id,famille_role,foyer_fiscal_id,foyer_fiscal_role,date_naissance,statut_marital,salaire_imposable,loyer,weight
anna,1,personne_de_reference,1,parent,1,declarant,1985-03-02,marie,24000,700,3
boris,1,conjoint,1,parent,1,declarant,1983-11-20,marie,18000,,3
cleo,1,enfant,1,enfant,1,personne_a_charge,2014-06-01,celibataire,,,3
dan,2,personne_de_reference,2,parent,2,declarant,1999-01-15,celibataire,9600,450,1.5
`
	FourOptions = `{"variables": ["irpp", "revdisp"], "period": "2022", "reform": ["allocation_unique"], "compare": true, "weight": "weight"}`
)
