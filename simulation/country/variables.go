package country

import (
	"errors"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/period"
	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// variablesObject is the dict of variables of a system.
type variablesObject struct {
	core *core
	of   variables
}

// variables is a system, or one that is being built.
type variables interface {
	Variables() []*legislation.Variable
	Variable(name string) *legislation.Variable // nil if there is none
}

// Type implements pyeval.Object.
func (o *variablesObject) Type() *py.Class { return o.core.variablesClass }

// Item implements pyeval.Indexer.
func (o *variablesObject) Item(th *py.Thread, key py.Value) py.Value {
	name, _ := key.AsString()
	v := o.of.Variable(name)
	if v == nil {
		th.Raise(py.KeyError, "%s", name)
	}
	return o.core.variableValue(v)
}

// SetItem implements pyeval.ItemSetter: a variable that is there may be put where it is.
func (o *variablesObject) SetItem(th *py.Thread, key py.Value, v *py.Value) {
	name, _ := key.AsString()
	if v != nil {
		if given, ok := v.Object().(*variableObject); ok && given.variable == o.of.Variable(name) {
			return
		}
	}
	th.Raise(py.TypeError, "the variables of a system are changed by add_variable, update_variable, replace_variable and neutralize_variable")
}

// Contains implements pyeval.Container.
func (o *variablesObject) Contains(_ *py.Thread, key py.Value) bool {
	name, _ := key.AsString()
	return o.of.Variable(name) != nil
}

// Each implements pyeval.Iterable.
func (o *variablesObject) Each(_ *py.Thread, yield func(py.Value) bool) {
	for _, v := range o.of.Variables() {
		if !yield(py.String(v.Name)) {
			return
		}
	}
}

// Len implements pyeval.Lener.
func (o *variablesObject) Len(*py.Thread) int { return len(o.of.Variables()) }

// Attr returns the methods of a dict that only read.
func (o *variablesObject) Attr(th *py.Thread, name string) (py.Value, bool) {
	switch name {
	case "get":
		return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			key, otherwise := py.None, py.None
			th.Unpack(name, args, kws, "key", &key, "default?", &otherwise)
			text, _ := key.AsString()
			if v := o.of.Variable(text); v != nil {
				return o.core.variableValue(v)
			}
			return otherwise
		}), true
	case "items", "keys", "values", "copy":
		d := py.NewDict()
		for _, v := range o.of.Variables() {
			d.Set(py.String(v.Name), o.core.variableValue(v))
		}
		return th.Attr(py.Obj(d), name)
	}
	return py.Value{}, false
}

// definition reads a class derived from Variable. Problems are raised as ValueError, as the original does.
func (c *core) definition(th *py.Thread, v py.Value) legislation.Definition {
	class, ok := v.Object().(*py.Class)
	if !ok || !class.IsSub(c.variableClass) {
		th.Raise(py.TypeError, "expected a class derived from Variable, got %s", th.Repr(v))
	}
	r := definitionReader{core: c, th: th, class: class, def: legislation.Definition{Name: class.Name, Declared: class, Source: c.sourceOf(class)}}
	own := c.ownInit(class)
	instance := py.NewInstance(class)
	if own {
		instance = construct(th, class)
	}
	for _, name := range class.Names() {
		value, _ := class.Own(name)
		r.read(name, value)
	}
	for _, name := range instance.Names() {
		value, _ := instance.Get(name)
		r.read(name, value)
	}
	if len(r.unexpected) > 0 && !own {
		th.Raise(py.ValueError, "Unexpected attributes in definition of variable \"%s\": '%s'", class.Name, strings.Join(r.unexpected, ", "))
	}
	r.defaultValue()
	r.missing()
	if c.policy {
		r.policy()
	}
	return r.def
}

// ownInit reports that the package made a kind of variable of its own, which may have any attributes, and sets some of them
// when it is made.
func (c *core) ownInit(class *py.Class) bool {
	for _, k := range class.MRO() {
		if k == c.variableClass {
			return false
		}
		if _, ok := k.Own("__init__"); ok {
			return true
		}
	}
	return false
}

// construct runs the constructor of a kind of variable for what it sets. One that does by hand what Variable's own does
// needs methods that are not here; then what the class says is all there is.
func construct(th *py.Thread, class *py.Class) *py.Instance {
	instance := py.NewInstance(class)
	init, _ := class.Lookup("__init__")
	_, err := th.Call(init, py.Obj(instance))
	if python, ok := errors.AsType[*py.Error](err); ok && python.Exception != nil {
		return py.NewInstance(class)
	}
	if err != nil {
		th.Throw(err)
	}
	return instance
}

// definitionReader gathers the attributes of one class.
type definitionReader struct {
	core       *core
	th         *py.Thread
	class      *py.Class
	def        legislation.Definition
	byDefault  *py.Value
	unexpected []string

	adds, subtracts py.Value // of PolicyEngine's variables
}

func (r *definitionReader) fail(format string, args ...any) {
	r.th.Raise(py.ValueError, "variable "+r.class.Name+": "+format, args...)
}

func (r *definitionReader) read(name string, v py.Value) {
	if strings.HasPrefix(name, "__") || v.IsNone() {
		return
	}
	if strings.HasPrefix(name, "formula") {
		r.formula(name, v)
		return
	}
	if set, ok := policyAttributes[name]; ok && r.core.policy {
		set(r, v)
		return
	}
	if set, ok := variableAttributes[name]; ok {
		set(r, v)
		return
	}
	r.unexpected = append(r.unexpected, name)
}

// variableAttributes are the attributes a variable may have.
var variableAttributes = map[string]func(*definitionReader, py.Value){
	"base_function":     (*definitionReader).base,
	"calculate_output":  (*definitionReader).output,
	"cerfa_field":       (*definitionReader).cerfa,
	"default_value":     func(r *definitionReader, v py.Value) { r.byDefault = &v },
	"definition_period": (*definitionReader).period,
	"documentation": func(r *definitionReader, v py.Value) {
		r.def.Documentation = legislation.Dedent(r.text("documentation", v))
	},
	"end":                        func(r *definitionReader, v py.Value) { r.def.End = r.text("end", v) },
	"entity":                     (*definitionReader).entity,
	"introspection_data":         func(*definitionReader, py.Value) {},
	"is_period_size_independent": func(r *definitionReader, v py.Value) { b := r.th.Truth(v); r.def.SizeIndependent = &b },
	"label":                      func(r *definitionReader, v py.Value) { r.def.Label = r.text("label", v) },
	"max_length":                 (*definitionReader).maxLength,
	"possible_values":            (*definitionReader).possibleValues,
	"reference":                  (*definitionReader).reference,
	"set_input":                  (*definitionReader).input,
	"unit":                       func(r *definitionReader, v py.Value) { r.def.Unit = r.text("unit", v) },
	"value_type":                 (*definitionReader).valueType,
}

func (r *definitionReader) text(name string, v py.Value) string {
	s, ok := v.AsString()
	if !ok {
		r.fail("%s must be a text, not %s", name, r.th.Repr(v))
	}
	return s
}

func (r *definitionReader) valueType(v py.Value) {
	for t, class := range r.core.valueTypes {
		if class.Object() != nil && class.Object() == v.Object() {
			r.def.Type = legislation.ValueType(t)
			return
		}
	}
	r.fail("value_type %s is not one of int, float, bool, str, date and Enum", r.th.Repr(v))
}

func (r *definitionReader) entity(v py.Value) {
	e, ok := v.Object().(*entityObject)
	if !ok {
		r.fail("entity %s is not an entity", r.th.Repr(v))
	}
	r.def.Entity = e.Entity
}

func (r *definitionReader) period(v py.Value) {
	u := toUnit(r.th, v)
	r.def.Period = &u
}

func (r *definitionReader) maxLength(v py.Value) {
	n, ok := v.AsInt()
	if !ok || n < 1 {
		r.fail("max_length %s is not a positive number", r.th.Repr(v))
	}
	r.def.MaxLength = int(n)
}

func (r *definitionReader) possibleValues(v py.Value) {
	class, ok := v.Object().(*py.Class)
	if !ok || enumerationOf(class) == nil {
		r.fail("possible_values %s is not an enumeration", r.th.Repr(v))
	}
	r.def.Enum = enumerationOf(class).enum
}

func (r *definitionReader) reference(v py.Value) {
	if s, ok := v.AsString(); ok {
		r.def.References = []string{s}
		return
	}
	switch v.Object().(type) {
	case *py.List, *py.Tuple:
		r.def.References = texts(r.th, v)
	default:
		r.fail("reference must be a text or a list of texts, not %s", r.th.Repr(v))
	}
}

func (r *definitionReader) cerfa(v py.Value) {
	if s, ok := v.AsString(); ok {
		r.def.CerfaField = s
		return
	}
	d, ok := v.Object().(*py.Dict)
	if !ok {
		r.fail("cerfa_field must be a text or a dict, not %s", r.th.Repr(v))
	}
	byPerson := map[string]string{}
	d.Items(func(k, v py.Value) bool {
		byPerson[r.th.Str(k)] = r.th.Str(v)
		return true
	})
	r.def.CerfaField = byPerson
}

func (r *definitionReader) input(v py.Value) {
	switch v.Object() {
	case dispatchInput.Object():
		r.def.Input = legislation.Dispatch
	case divideInput.Object():
		r.def.Input = legislation.DivideEqual
	default:
		r.def.Input, r.def.CustomInput = legislation.InputByRules, customInput(v)
	}
}

func (r *definitionReader) output(v py.Value) {
	switch v.Object() {
	case outputAdd.Object():
		r.def.Output = legislation.OutputAdd
	case outputDivide.Object():
		r.def.Output = legislation.OutputDivide
	default:
		r.def.Output, r.def.CustomOutput = legislation.OutputByRules, r.core.customOutput(v)
	}
}

func (r *definitionReader) formula(name string, v py.Value) {
	fn, ok := v.Object().(*py.Function)
	if !ok {
		r.fail("%s is not a function", name)
	}
	n := len(fn.Params())
	if r.core.policy {
		n = min(n, 3) // the others have defaults
	}
	if n < 2 || n > 3 {
		r.fail("%s has %d parameters: a formula has (%s, period) or (%s, period, parameters)", name, n, "population", "population")
	}
	file, line := fn.Where()
	r.def.Formulas = append(r.def.Formulas, legislation.NamedFormula{
		Name: name, Formula: &formula{fn, n}, Source: legislation.Source{File: file, Line: line},
	})
}

// defaultValue comes last, because what it may be depends on the type.
func (r *definitionReader) defaultValue() {
	if r.byDefault == nil {
		return
	}
	v := *r.byDefault
	if m, ok := v.Object().(*member); ok {
		c := vector.EnumConst(1, m.enum.Domain, m.index).As(vector.NumpyScalar)
		r.def.Default = &c
		return
	}
	if c, ok := v.Column(); ok {
		r.def.Default = &c
		return
	}
	if i, err := period.ParseInstant(r.th.Str(v)); err == nil {
		c := vector.DateScalar(vector.Day, int64(i.Days()))
		r.def.Default = &c
		return
	}
	r.fail("default_value %s is of no type that a variable can have", r.th.Repr(v))
}

// customInput calls a package's own set_input(holder, period, array).
func customInput(fn py.Value) legislation.CustomInput {
	return func(h legislation.Holder, at *period.Entry, array vector.Column) (legislation.Where, error) {
		r := runIn(h.Simulation())
		_, where, err := r.rule(fn, py.Obj(&holderObject{r, h}), entryValue(at), py.Col(array))
		return where, err
	}
}

// rule calls a rule, which may look at what is stored, and tells where what it did holds again.
func (r *run) rule(fn py.Value, args ...py.Value) (py.Value, legislation.Where, error) {
	outer, before := r.watch, r.th.Effects()
	r.watch = watch{where: legislation.SameState}
	v, err := r.th.Call(fn, args...)
	if r.th.Effects() != before {
		r.watch.only(legislation.Nowhere)
	}
	where := r.watch.where
	r.watch = outer
	return v, where, err
}

// customOutput calls a package's own calculate_output(simulation, variable_name, period).
func (c *core) customOutput(fn py.Value) legislation.CustomOutput {
	return func(s legislation.Simulation, id legislation.VariableID, at *period.Entry) (vector.Column, legislation.Where, error) {
		r := runIn(s)
		v, where, err := r.rule(fn, py.Obj(&simulationObject{r, s}), py.String(c.names.VariableName(id)), entryValue(at))
		if err != nil {
			return vector.Column{}, where, err
		}
		out, err := r.result(v)
		return out, where, err
	}
}
