package country

import (
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
	"edict/simulation/pyeval/numpy"
	"edict/simulation/pyeval/stdlib"
	"edict/simulation/pysyntax"
)

// prelude holds the modules of openfisca_core that are written in Python.
//
//go:embed all:prelude
var prelude embed.FS

// core is what the Python of one country package knows of the engine: module _edict, on which the
// modules of openfisca_core stand.
type core struct {
	program *py.Program
	names   *legislation.Names
	options Options
	choices string // of the options, before the package had its say
	sources []*Source
	files   []*tree       // of the sources
	known   *packageCache // what is remembered of their files, while the package is loaded

	recalled  bool              // the package comes from its image
	loaded    [sha256.Size]byte // what loading it depended on; zero for a package without an image
	imageless bool              // there can be no image of the package

	// Classes that packages derive from, test for or construct.
	enumClass      *py.Class
	variableClass  *py.Class
	nodeClass      *py.Class
	parameterClass *py.Class
	scaleClass     *py.Class
	bracketClass   *py.Class
	datedClass     *py.Class
	childrenClass  *py.Class
	draftClass     *py.Class
	systemClass    *py.Class
	variablesClass *py.Class
	valueTypes     [legislation.String + 1]py.Value

	policy  bool         // the package is PolicyEngine's (policyengine.go)
	carries bool         // and inputs hold until the next one
	derives bool         // it has derived classes of parameters (ownparameters.go)
	object  *py.Instance // the package's system, of PolicyEngine's
	patches patches      // of classes that all packages share; it does not change once the package is loaded

	// While something is being loaded; loading is one goroutine's work at a time.
	loading sync.Mutex
	items   map[legislation.ParameterItem]*parameterObject
	rises   map[riseKey][]rise // of indexes
	handed  handed             // with metadata
	listed  struct {           // the values_list that was made last
		list *py.List
		of   *legislation.Parameter
	}
	written  int                       // entries of lists of values that were written to
	lines    map[string]map[string]int // by file and class
	problems legislation.Problems
}

func newCore(ctx context.Context, o Options, sources []*Source) (*core, error) {
	python, err := fs.Sub(prelude, "prelude")
	if err != nil {
		return nil, err
	}
	c := &core{
		names: legislation.NewNames(), options: o, choices: o.choices(), sources: sources, known: o.Cache.open(sources),
		items: map[legislation.ParameterItem]*parameterObject{}, rises: map[riseKey][]rise{}, lines: map[string]map[string]int{},
	}
	roots := make([]py.Root, 0, len(sources)+1)
	read := int64(0)
	for _, s := range sources {
		files := readTree(ctx, s)
		read += files.bytes
		c.files = append(c.files, files)
		roots = append(roots, py.Root{FS: files, Path: "/"})
	}
	if o.Read != nil {
		o.Read(read)
	}
	c.program = py.NewProgram(append(roots, py.Root{FS: python, Path: "/"})...)
	stdlib.Install(c.program)
	numpy.Install(c.program)
	c.program.Now = o.Now
	c.program.NEP50 = o.NEP50
	c.program.Work = o.Work
	c.program.Limits = o.Limits
	c.program.TextAttr = unitAttr
	linkClasses()
	c.makeClasses()
	c.program.AddModule("_edict", c.table())
	addSubmodules(c.program)
	c.program.AddLazyModule("yaml", yamlTable)
	return c, nil
}

func (c *core) makeClasses() {
	c.enumClass = newEnumClass(c.options.LenientEnums)
	c.variableClass = py.NewClass("Variable", py.Table{"__init__": py.Pure("__init__", func(*py.Thread, []py.Value, []py.Kw) py.Value { return py.None })})
	c.nodeClass = py.NewClass("ParameterNode", nil)
	c.parameterClass = py.NewClass("Parameter", nil)
	c.scaleClass = py.NewClass("ParameterScale", nil)
	c.bracketClass = py.NewClass("ParameterScaleBracket", nil, c.nodeClass)
	c.datedClass = py.NewClass("ParameterAtInstant", nil)
	c.childrenClass = py.NewClass("dict", nil)
	c.draftClass = py.NewClass("Draft", nil)
	c.systemClass = py.NewClass("TaxBenefitSystem", nil)
	c.variablesClass = py.NewClass("dict", nil)
	c.nodeClass.New, c.bracketClass.New = c.makeNode, c.makeNode
	c.parameterClass.New, c.scaleClass.New = c.makeParameter, c.makeParameter
	c.draftClass.New, c.datedClass.New, c.datedClass.Pure = c.makeDraft, c.makeDated, true
}

// table is module _edict.
func (c *core) table() py.Table {
	t := py.Table{
		"AmountTaxScaleLike":              py.Obj(amountLikeClass),
		"Draft":                           py.Obj(c.draftClass),
		"EmptyArgumentError":              py.Obj(emptyArgument),
		"Entity":                          py.Obj(entityClass),
		"Enum":                            py.Obj(c.enumClass),
		"EnumArray":                       py.Obj(enumArrayClass),
		"GroupEntity":                     py.Obj(groupEntityClass),
		"GroupPopulation":                 py.Obj(groupPopulationClass),
		"Holder":                          py.Obj(holderClass),
		"Parameter":                       py.Obj(c.parameterClass),
		"ParameterAtInstant":              py.Obj(c.datedClass),
		"ParameterNode":                   py.Obj(c.nodeClass),
		"ParameterNodeAtInstant":          py.Obj(nodeClass),
		"ParameterNotFoundError":          py.Obj(parameterNotFound),
		"ParameterScale":                  py.Obj(c.scaleClass),
		"ParameterScaleBracket":           py.Obj(c.bracketClass),
		"Population":                      py.Obj(populationClass),
		"Projector":                       py.Obj(projectorClass),
		"RateTaxScaleLike":                py.Obj(rateLikeClass),
		"Role":                            py.Obj(roleClass),
		"Simulation":                      py.Obj(simulationClass),
		"TaxScaleLike":                    py.Obj(scaleLikeClass),
		"Variable":                        py.Obj(c.variableClass),
		"VariableNotFoundError":           py.Obj(variableNotFound),
		"VectorialParameterNodeAtInstant": py.Obj(vectorClass),
		"build_entity":                    py.Func("build_entity", buildEntity),
		"calculate_output_add":            outputAdd,
		"calculate_output_divide":         outputDivide,
		"combine_tax_scales":              py.Pure("combine_tax_scales", combineScales),
		"eval_expression":                 py.Pure("eval_expression", evalExpression),
		"find_reform":                     py.Func("find_reform", c.findReform),
		"get_neutralized_variable":        unsupported("get_neutralized_variable"),
		"load_parameter_file":             py.Func("load_parameter_file", c.loadParameterFile),
		"package_directory":               py.Pure("package_directory", c.packageDirectory),
		"package_metadata":                py.Pure("package_metadata", c.packageMetadata),
		"python_files":                    py.Func("python_files", c.pythonFiles),
		"set_input_dispatch_by_period":    dispatchInput,
		"set_input_divide_by_period":      divideInput,
		"variables_of_file":               py.Func("variables_of_file", c.variablesOfFile),
	}
	for _, class := range scaleClasses {
		t[class.Name] = py.Obj(class)
	}
	if c.options.LastValues {
		maps.Copy(t, baseFunctions)
	}
	maps.Copy(t, c.policyTable())
	maps.Copy(t, periodTable())
	return t
}

// The functions that a variable names to choose a rule; they are compared, not called.
var (
	dispatchInput = unsupported("set_input_dispatch_by_period")
	divideInput   = unsupported("set_input_divide_by_period")
	outputAdd     = unsupported("calculate_output_add")
	outputDivide  = unsupported("calculate_output_divide")
)

// unsupported is a function that packages may name but not call.
func unsupported(name string) py.Value {
	return py.Pure(name, func(th *py.Thread, _ []py.Value, _ []py.Kw) py.Value {
		th.Raise(py.NotImplementedError, "%s cannot be called from a package", name)
		return py.Value{}
	})
}

// find returns the file system that holds a path as Python code knows it.
func (c *core) find(where string) (files *tree, inside string, err error) {
	inside = strings.TrimPrefix(path.Clean(where), "/")
	for _, files := range c.files {
		if _, err := fs.Stat(files, inside); err == nil {
			return files, inside, nil
		}
	}
	return nil, "", &fs.PathError{Op: "open", Path: where, Err: fs.ErrNotExist}
}

// pathOf reads a path, a text or an object of pathlib.
func pathOf(th *py.Thread, v py.Value) string {
	where, ok := th.PathText(v)
	if !ok {
		th.Raise(py.TypeError, "expected a path, a text or an object of pathlib, not %s", py.TypeName(v))
	}
	return where
}

// pythonFiles lists the Python files of a directory, then those of its directories, in alphabetical order; of a directory that
// does not exist none, because version control keeps no empty ones.
func (c *core) pythonFiles(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var directory py.Value
	th.Unpack("python_files", args, kws, "directory", &directory)
	files, inside, err := c.find(pathOf(th, directory))
	if errors.Is(err, fs.ErrNotExist) {
		return py.Obj(py.NewList(nil))
	}
	if err != nil {
		th.Throw(err)
	}
	var found []py.Value
	if err := eachPythonFile(files, inside, func(name string) { found = append(found, py.String("/"+name)) }); err != nil {
		th.Throw(err)
	}
	return py.Obj(py.NewList(found))
}

func eachPythonFile(files fs.FS, dir string, visit func(name string)) error {
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.IsDir() && !hidden(e.Name()) && strings.HasSuffix(e.Name(), ".py") {
			visit(path.Join(dir, e.Name()))
		}
	}
	for _, e := range entries {
		if e.IsDir() && !hidden(e.Name()) {
			if err := eachPythonFile(files, path.Join(dir, e.Name()), visit); err != nil {
				return err
			}
		}
	}
	return nil
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") }

// moduleOf is the name under which a file is imported.
func moduleOf(file string) string {
	name := strings.TrimSuffix(strings.TrimPrefix(file, "/"), ".py")
	name = strings.TrimSuffix(name, "/__init__")
	return strings.ReplaceAll(name, "/", ".")
}

// importFile imports a file by its path, which may be the name of no module: parts with dots have none.
func (c *core) importFile(th *py.Thread, file string) (*py.Module, error) {
	if strings.Contains(strings.TrimSuffix(file, ".py"), ".") {
		return th.ImportFile(moduleOf(file), file)
	}
	return th.Import(moduleOf(file))
}

// variablesOfFile imports a file and lists the variables that it defines. A file that cannot be
// imported is a problem of the package; loading goes on, so that all problems are told at once.
func (c *core) variablesOfFile(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var where py.Value
	th.Unpack("variables_of_file", args, kws, "file_path", &where)
	file := pathOf(th, where)
	m, err := c.importFile(th, file)
	if err != nil {
		c.problem(th, legislation.Source{File: file}, err)
		return py.Obj(py.NewList(nil))
	}
	return py.Obj(py.NewList(classesOf(m, c.variableClass)))
}

// classesOf lists the classes that a module itself derives from a base, by name.
func classesOf(m *py.Module, base *py.Class) []py.Value {
	var found []py.Value
	for name, v := range m.Own() {
		class, ok := v.Object().(*py.Class)
		if ok && class != base && class.IsSub(base) && class.Module == m.Name && class.Name == name {
			found = append(found, v)
		}
	}
	slices.SortFunc(found, func(a, b py.Value) int {
		return strings.Compare(a.Object().(*py.Class).Name, b.Object().(*py.Class).Name)
	})
	return found
}

// placeOf is where in a package's own code an exception came from: what it called in the library is no place to look at.
func placeOf(e *py.Error, otherwise legislation.Source) legislation.Source {
	for _, at := range slices.Backward(e.Traceback) {
		if !strings.HasPrefix(at.File, "/stdlib/") && !strings.HasPrefix(at.File, "/openfisca_core/") && !strings.HasPrefix(at.File, "/policyengine_core/") {
			return legislation.Source{File: at.File, Line: at.Line}
		}
	}
	if n := len(e.Traceback); n > 0 {
		return legislation.Source{File: e.Traceback[n-1].File, Line: e.Traceback[n-1].Line}
	}
	return otherwise
}

// problem notes what is wrong with a package. The end of a run is no problem of the package: it passes.
func (c *core) problem(th *py.Thread, at legislation.Source, err error) {
	if several, ok := errors.AsType[legislation.Problems](err); ok {
		c.problems = append(c.problems, several...)
		return
	}
	if syntax, ok := errors.AsType[*pysyntax.Error](err); ok {
		c.problems = append(c.problems, legislation.Problem{File: syntax.File, Line: int(syntax.Line), Msg: "syntax error: " + syntax.Message})
		return
	}
	if python, ok := errors.AsType[*py.Error](err); ok {
		if python.Exception == nil {
			th.Throw(err)
		}
		if at.Line == 0 {
			at = placeOf(python, at)
		}
		c.problems = append(c.problems, legislation.Problem{File: at.File, Line: at.Line, Msg: python.Class + ": " + python.Message + remedy(python)})
		return
	}
	c.problems = append(c.problems, legislation.Problem{File: at.File, Line: at.Line, Msg: err.Error()})
}

// sourceOf returns where a class was written.
func (c *core) sourceOf(class *py.Class) legislation.Source {
	m := c.program.Module(class.Module)
	if m == nil || m.File == "" {
		return legislation.Source{}
	}
	lines, ok := c.lines[m.File]
	if !ok {
		text, _ := c.program.ReadFile(m.File)
		lines = classLines(string(text))
		c.lines[m.File] = lines
	}
	return legislation.Source{File: m.File, Line: lines[class.Name]}
}

// classLines returns on which line each class of a source begins.
func classLines(text string) map[string]int {
	lines := map[string]int{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "class")
		name := strings.TrimLeft(rest, " \t")
		if !ok || len(name) == len(rest) {
			continue
		}
		if end := strings.IndexAny(name, "(: \t\r\n["); end > 0 {
			lines[name[:end]] = number
		}
	}
	return lines
}

func (c *core) placeOf(v py.Value) legislation.Source {
	if class, ok := v.Object().(*py.Class); ok {
		return c.sourceOf(class)
	}
	return legislation.Source{}
}

// packageDirectory imports a package and returns its directory.
func (c *core) packageDirectory(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var name string
	th.Unpack("package_directory", args, kws, "name", &name)
	m, err := th.Import(name)
	if err != nil {
		th.Raise(py.ValueError, "extension '%s' cannot be imported: %s", name, err.Error())
	}
	return py.String(path.Dir(m.File))
}

func (c *core) packageMetadata(*py.Thread, []py.Value, []py.Kw) py.Value {
	d := py.NewDict()
	for k, v := range map[string]string{"name": strings.ToLower(cmp.Or(c.sources[0].Distribution, c.sources[0].Name)), "version": c.sources[0].Version, "repository_url": c.sources[0].URL, "location": "/"} {
		d.Set(py.String(k), py.String(v))
	}
	return py.Obj(d)
}

// findReform is the class at package.module.reform.
func (c *core) findReform(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var name string
	th.Unpack("find_reform", args, kws, "reform_path", &name)
	at := strings.LastIndexByte(name, '.')
	if at < 0 {
		th.Raise(py.ValueError, "'%s' is not the path of a reform: one looks like some_country_package.reforms.some_reform", name)
	}
	m, err := th.Import(name[:at])
	if err != nil {
		th.Raise(py.ValueError, "module '%s' of reform '%s' cannot be imported: %s", name[:at], name, err.Error())
	}
	v, ok := m.Get(name[at+1:])
	class, isClass := v.Object().(*py.Class)
	if !ok || !isClass || !class.IsSub(c.reformClass(th)) {
		th.Raise(py.ValueError, "there is no reform '%s' in module '%s'", name[at+1:], name[:at])
	}
	return v
}

func (c *core) reformClass(th *py.Thread) *py.Class {
	m, err := th.Import("openfisca_core.reforms")
	if err != nil {
		th.Throw(err)
	}
	v, _ := m.Get("Reform")
	return v.Object().(*py.Class)
}
