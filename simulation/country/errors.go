package country

import (
	"errors"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
)

// The exceptions that packages catch by name and that the engine raises.
var (
	emptyArgument     = py.NewExceptionClass("EmptyArgumentError", "openfisca_core.errors", py.IndexError)
	parameterNotFound = py.NewExceptionClass("ParameterNotFoundError", "openfisca_core.errors", py.AttributeError)
	variableNotFound  = py.NewExceptionClass("VariableNotFoundError", "openfisca_core.errors", py.Exception)
)

// builtinErrors are the exceptions that package legislation names.
var builtinErrors = map[string]*py.Class{
	"AttributeError":      py.AttributeError,
	"EmptyArgumentError":  emptyArgument,
	"IndexError":          py.IndexError,
	"KeyError":            py.KeyError,
	"NotImplementedError": py.NotImplementedError,
	"TypeError":           py.TypeError,
	"ValueError":          py.ValueError,
}

// throw raises an error of the engine or of the legislation as the Python exception that the
// original would raise. It does not return.
func throw(th *py.Thread, err error) {
	if _, ok := errors.AsType[*py.Error](err); ok {
		th.Throw(err)
	}
	if e, ok := errors.AsType[*legislation.ParameterNotFound](err); ok {
		th.RaiseFor(parameterNotFound, e)
	}
	if e, ok := errors.AsType[*legislation.VariableNotFound](err); ok {
		th.Raise(variableNotFound, "%s", e.Error())
	}
	th.RowError()
	if e, ok := errors.AsType[*legislation.Error](err); ok {
		if class, known := builtinErrors[e.Class]; known {
			th.Raise(class, "%s", e.Msg)
		}
	}
	th.Throw(err)
}
