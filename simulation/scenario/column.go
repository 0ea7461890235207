package scenario

import (
	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// Column makes a column of one element of a scalar that Convert gave.
func Column(system *legislation.System, v *legislation.Variable, scalar vector.Column) vector.Column {
	return assemble(v, system.Wide(), []vector.Column{scalar})
}
