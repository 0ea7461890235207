package engine

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// The files of testdata/*.test say what an engine is to answer; testdata/README.md describes their language. Every file is
// run in every mode, and must say the same in each.

// modes are the ways to run a file. The files of those that remember are run twice on the same legislation, and the second
// time counts.
var modes = []struct {
	name    string
	options Options
	times   int
}{
	{"formulas", Options{Forgetful: true}, 1},
	{"recalls", Options{}, 1},
	{"recalls again", Options{}, 2},
	{"records", Options{Scripted: true, Eager: true}, 1},
	{"replays", Options{Scripted: true, Eager: true}, 3},
}

// TestLanguage runs the files.
func TestLanguage(t *testing.T) {
	files, err := filepath.Glob("testdata/*.test")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no files", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range modes {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".test")+"/"+m.name, func(t *testing.T) {
				for _, part := range strings.Split("\n"+string(text), "\nload\n")[1:] {
					r := &fileRun{T: t, mode: m.name, options: m.options}
					lines := r.load(strings.Split(part, "\n"))
					for i := range m.times {
						r.counts = i == m.times-1
						r.do(lines)
					}
				}
			})
		}
	}
}

// fileRun is a legislation of a file, and what its lines are about.
type fileRun struct {
	*testing.T
	mode    string
	options Options
	counts  bool // this time
	system  *legislation.System
	sim     *Simulation
}

// load reads the legislation, which is what is indented, and gives the lines after it.
func (r *fileRun) load(lines []string) []string {
	b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{}, recordedEntities()...)
	if err != nil {
		r.Fatal(err)
	}
	n := slices.IndexFunc(lines, func(line string) bool { return !strings.HasPrefix(line, "  ") })
	for _, line := range lines[:n] {
		head, formula, _ := strings.Cut(line, "=")
		words := strings.Fields(head)
		unit, ok := period.ParseUnit(words[0])
		if !ok || len(words) < 3 {
			r.Fatalf("%s: a variable has a unit, an entity and a name", line)
		}
		d := legislation.Definition{Name: words[2], Type: legislation.Float, Entity: b.Entity(words[1]), Period: &unit}
		for _, word := range words[3:] {
			switch word {
			case "divided":
				d.Input = legislation.DivideEqual
			case "dispatched":
				d.Input = legislation.Dispatch
			case "summed":
				d.Output = legislation.OutputAdd
			case "shared":
				d.Output = legislation.OutputDivide
			default:
				r.Fatalf("%s: what is %s?", line, word)
			}
		}
		if formula != "" {
			tree, err := parser.ParseExpr(formula)
			if err != nil {
				r.Fatalf("%s: %v", line, err)
			}
			d.Formulas = []legislation.NamedFormula{{Name: "formula", Formula: treeFormula{tree}}}
		}
		if _, err := b.AddVariable(d); err != nil {
			r.Fatalf("%s: %v", line, err)
		}
	}
	r.system = b.Build()
	return lines[n:]
}

func (r *fileRun) do(lines []string) {
	for _, line := range lines {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		left, right, _ := strings.Cut(line, "=")
		left, refusal, refused := strings.Cut(left, "!")
		words := strings.Fields(left)
		var err error
		switch want := strings.Fields(right); words[0] {
		case "situation":
			r.situation(words[1:])
		case "set":
			err = r.sim.SetInput(variable(r.sim, words[1]), entry(r.sim, words[2]), columnOfWords(r.T, want))
		case "ask":
			err = r.ask(line, words[1:], want)
		case "known":
			r.compare(line, r.known(words[1]), want)
		case "evaluated", "replayed":
			r.count(line, words)
		default:
			r.Fatalf("%s: what is %s?", line, words[0])
		}
		if refused != (err != nil) || refused && !strings.Contains(err.Error(), strings.TrimSpace(refusal)) {
			r.Errorf("%s: %v", line, err)
		}
	}
}

// situation begins another simulation: so many persons, and of each its family if they are not alone.
func (r *fileRun) situation(words []string) {
	persons, err := strconv.Atoi(words[0])
	if err != nil {
		r.Fatal(err)
	}
	spec := Spec{Persons: persons}
	if len(words) > 1 {
		families := Groups{}
		for _, word := range words[2:] {
			n, err := strconv.Atoi(word)
			if err != nil {
				r.Fatal(err)
			}
			families.GroupOf = append(families.GroupOf, int32(n))
			families.Count = max(families.Count, n+1)
		}
		spec.Groups = map[string]Groups{"family": families}
	}
	if r.sim, err = New(r.Context(), r.system, spec, r.options); err != nil {
		r.Fatal(err)
	}
}

func (r *fileRun) ask(line string, words, want []string) error {
	id, at := variable(r.sim, words[0]), entry(r.sim, words[1])
	var c vector.Column
	var err error
	switch how := words[len(words)-1]; {
	case how == "output":
		c, err = r.sim.CalculateOutput(id, at)
	case how == "add":
		c, err = r.sim.Calculate(id, at, legislation.Add)
	case how == "divide":
		c, err = r.sim.Calculate(id, at, legislation.Divide)
	default:
		c, err = r.sim.Calculate(id, at, legislation.Plain)
	}
	if err != nil {
		return err
	}
	got := make([]string, c.Len())
	for i := range got {
		got[i] = fmt.Sprint(c.Float(i))
	}
	if c.Taped() {
		r.Errorf("%s: the result is taped", line)
	}
	r.compare(line, got, want)
	return nil
}

func (r *fileRun) known(name string) (periods []string) {
	h, err := r.sim.Holder(variable(r.sim, name))
	if err != nil {
		r.Fatal(err)
	}
	for _, at := range h.KnownPeriods() {
		periods = append(periods, at.String())
	}
	return periods
}

func (r *fileRun) compare(line string, got, want []string) {
	if !slices.Equal(got, want) {
		r.Errorf("%s: got %s", line, strings.Join(got, " "))
	}
}

// count checks how many formulas were evaluated in a simulation, or calls replayed, if the mode is the one that the line names.
func (r *fileRun) count(line string, words []string) {
	got := int64(r.sim.Replayed())
	if words[0] == "evaluated" {
		got = r.sim.Evaluated()
	}
	if mode := strings.Join(words[2:], " "); r.counts && mode == r.mode && words[1] != fmt.Sprint(got) {
		r.Errorf("%s: got %d", line, got)
	}
}

func columnOfWords(t *testing.T, words []string) vector.Column {
	values := make([]float32, len(words))
	for i, word := range words {
		v, err := strconv.ParseFloat(word, 32)
		if err != nil {
			t.Fatal(err)
		}
		values[i] = float32(v)
	}
	return vector.Of(values)
}

// treeFormula is a formula of a file. It tells where its results hold again, so that everything that remembers is tried.
type treeFormula struct{ tree ast.Expr }

func (f treeFormula) Eval(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
	c, _, err := f.EvalRepeatable(p, at, law)
	return c, err
}

func (f treeFormula) EvalRepeatable(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, legislation.Validity, error) {
	e := &treeEval{p: p.(legislation.MovingPopulation), at: at}
	c, err := e.eval(f.tree)
	return c, legislation.Validity{Where: legislation.SameAnswers, Moves: at.Unit == period.Month, Months: e.months}, err
}

// treeEval evaluates a formula on a population.
type treeEval struct {
	p      legislation.MovingPopulation
	at     *period.Entry
	months legislation.Span // on which it would do the same
}

func (e *treeEval) eval(tree ast.Expr) (vector.Column, error) {
	switch x := tree.(type) {
	case *ast.ParenExpr:
		return e.eval(x.X)
	case *ast.BasicLit:
		n, err := strconv.ParseFloat(x.Value, 64)
		return vector.PyFloat(n), err
	case *ast.Ident:
		return asksAlong(e.p, x.Name, e.at)
	case *ast.BinaryExpr:
		a, err := e.eval(x.X)
		if err != nil {
			return a, err
		}
		b, err := e.eval(x.Y)
		if err != nil {
			return b, err
		}
		ops := map[token.Token]vector.Op{token.ADD: vector.Add, token.SUB: vector.Subtract, token.MUL: vector.Multiply, token.QUO: vector.Divide, token.GTR: vector.Greater}
		return rules.Binary(ops[x.Op], a, b)
	case *ast.CallExpr:
		return e.call(x.Fun.(*ast.Ident).Name, x.Args)
	}
	return vector.Column{}, fmt.Errorf("what is %T?", tree)
}

// call evaluates what is written as a function: last(x), year(x), add(x), sum(x), family(x), fail().
func (e *treeEval) call(name string, args []ast.Expr) (vector.Column, error) {
	switch name {
	case "fail":
		return vector.Column{}, errors.New("boom")
	case "sum":
		members, _ := e.p.Members()
		c, err := e.of(members, args[0])
		if err != nil {
			return c, err
		}
		return e.p.Sum(c, nil)
	case "family":
		family, _ := e.p.Shortcut("family")
		return e.of(family, args[0])
	}
	asked := args[0].(*ast.Ident).Name
	if name == "last" {
		before, err := e.at.Offset(-1, period.Month)
		if err != nil {
			return vector.Column{}, err
		}
		return asksAlong(e.p, asked, before)
	}
	year, err := e.at.ThisYear()
	if err != nil {
		return vector.Column{}, err
	}
	next := year.Start
	next.Year++
	e.months.Narrow(legislation.Span{From: year.Start, Until: next})
	how := map[string]legislation.Option{"year": legislation.Plain, "add": legislation.Add}[name]
	return byName(e.p, asked, year, how)
}

// of evaluates on another population.
func (e *treeEval) of(p legislation.Population, tree ast.Expr) (vector.Column, error) {
	other := &treeEval{p: p.(legislation.MovingPopulation), at: e.at}
	c, err := other.eval(tree)
	e.months.Narrow(other.months)
	return c, err
}
