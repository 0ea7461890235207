package pyeval

import "edict/simulation/vector"

// plane is a function of two coordinates, element by element, computed in 64 bits.
func plane(name string, f func(a, b float64) float64) Value {
	return Pure(name, func(th *Thread, args []Value, kws []Kw) Value {
		var x1, x2 Value
		th.Unpack(name, args, kws, "x1", &x1, "x2", &x2)
		a, b := th.operand(name, x1), th.operand(name, x2)
		// The sum of two floats has the type, the length and the form of the result.
		like := th.must(th.rules.Binary(vector.Add, th.must(th.rules.Unary(vector.Cos, a)), th.must(th.rules.Unary(vector.Cos, b))))
		out := make([]float64, like.Len())
		for i := range out {
			out[i] = f(a.Float(min(i, a.Len()-1)), b.Float(min(i, b.Len()-1)))
		}
		c := th.must(th.rules.Cast(vector.Of(out), like.DType()))
		if !like.IsArray() {
			c = c.As(vector.NumpyScalar)
		}
		return Col(c)
	})
}
