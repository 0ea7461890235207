package vector

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Programs are recorded with some rows, and played on others: more or fewer of them, in groups of other sizes. What is
// played must be what a run on those rows gives, or the player must say that it does not hold there.

const rowPrograms = 6000

// rows are what a row program is run on: columns of persons and of groups, and who belongs to which.
type rows struct {
	persons, groups []Column
	groupOf, holder []int32
	mask            []bool
}

// rowProgram is one run. Its decisions depend on nothing but the seed, and on answers about all rows.
type rowProgram struct {
	*rand.Rand
	rules   *Rules
	tape    *Tape // nil of a run that is not recorded
	rows    *rows
	index   Column
	holder  Column
	count   Column
	persons []Column
	groups  []Column
	picked  []Column // rows that a mask has picked
	log     []string
}

// rowKinds are those of the columns of one side.
func rowKinds(r *rand.Rand, n int) []kind {
	kinds := make([]kind, 2+r.IntN(2))
	for i := range kinds {
		for kinds[i] = drawKind(r, n); kinds[i].form != Array || kinds[i].dtype.Type == Object; {
			kinds[i] = drawKind(r, n)
		}
	}
	return kinds
}

// drawRows draws persons in groups. Some groups have nobody in them, or nobody whom the mask has.
func drawRows(r *rand.Rand, persons, groups []kind) *rows {
	n, g := 2+r.IntN(40), 2+r.IntN(12)
	out := &rows{holder: slices.Repeat([]int32{-1}, g)}
	for i := range n {
		group := int32(r.IntN(g))
		out.groupOf = append(out.groupOf, group)
		out.mask = append(out.mask, r.IntN(3) > 0)
		if r.IntN(2) == 0 {
			out.holder[group] = int32(i)
		}
	}
	for _, k := range persons {
		k.n = n
		out.persons = append(out.persons, drawSample(r, k))
	}
	for _, k := range groups {
		k.n = g
		out.groups = append(out.groups, drawSample(r, k))
	}
	return out
}

// inputs are the columns that the player is given, in the order of begin.
func (w *rows) inputs() []Column {
	return append(slices.Concat(w.persons, w.groups), Of(w.groupOf), Of(w.holder), Const(len(w.holder), true), Of(w.mask))
}

func (p *rowProgram) begin() (inputs []Column) {
	taped := p.rows.inputs()
	if p.tape != nil {
		for i, c := range taped {
			taped[i] = p.tape.Input(c)
		}
	}
	n, g := len(p.rows.persons), len(p.rows.groups)
	p.persons, p.groups = slices.Clone(taped[:n]), slices.Clone(taped[n:n+g])
	p.index, p.holder, p.count = taped[n+g], taped[n+g+1], taped[n+g+2]
	p.persons = append(p.persons, taped[n+g+3])
	if p.tape != nil {
		p.tape.Bind(p.rows.groupOf, p.index, p.count)
		p.tape.BindMask(p.rows.mask, taped[n+g+3])
	}
	return taped
}

func (p *rowProgram) from(list []Column, suits func(Column) bool) Column {
	c := list[p.IntN(len(list))]
	for range 6 {
		if suits(c) {
			break
		}
		c = list[p.IntN(len(list))]
	}
	return c
}

func anyColumn(Column) bool { return true }
func isTruth(c Column) bool { return c.Type() == Bool }

// own is a scalar of the program, or a constant as long as like.
func (p *rowProgram) own(like Column) Column {
	k := kind{dtype: DType{Type: []Type{Bool, Int32, Int64, Float32, Float64}[p.IntN(5)]}, form: NumpyScalar, n: 1}
	c := drawSample(p.Rand, k)
	if p.IntN(2) == 0 {
		return c
	}
	c, _ = c.Plain().Spread(int(like.Plain().n))
	return c.Compact()
}

// list picks the columns of persons, of groups or of who was picked: operations are on columns of one length.
func (p *rowProgram) list() *[]Column {
	if len(p.picked) > 0 && p.IntN(5) == 0 {
		return &p.picked
	}
	return []*[]Column{&p.persons, &p.persons, &p.groups}[p.IntN(3)]
}

func (p *rowProgram) step() {
	op := rowOps[p.IntN(len(rowOps))]
	p.log = append(p.log, op.name)
	op.do(p)
}

// keepRow keeps a result, if there is one.
func keepRow(list *[]Column, c Column, err error) {
	if err == nil && c.IsArray() {
		*list = append(*list, c)
	}
}

type rowOp struct {
	name string
	do   func(p *rowProgram)
}

// within is an operation on columns of one length.
func within(name string, do func(p *rowProgram, any, number func() Column, truth func() Column) (Column, error)) rowOp {
	return rowOp{name, func(p *rowProgram) {
		list := p.list()
		c, err := do(p, func() Column { return p.from(*list, anyColumn) }, func() Column { return p.from(*list, isNumber) }, func() Column { return p.from(*list, isTruth) })
		keepRow(list, c, err)
	}}
}

// aggregated is an operation from persons to groups.
func aggregated(name string, do func(Column, []int32, int, []bool) Column) rowOp {
	return rowOp{name, func(p *rowProgram) {
		c := p.from(p.persons, isNumber)
		var mask []bool
		if p.IntN(2) == 0 {
			mask = p.rows.mask
		}
		if isNumber(c) {
			if p.tape != nil && !c.Taped() {
				c, _ = Fill(c, p.index)
			}
			keepRow(&p.groups, do(c, p.rows.groupOf, len(p.rows.holder), mask), nil)
		}
	}}
}

var rowOps = []rowOp{
	within("Binary", func(p *rowProgram, any, number, truth func() Column) (Column, error) {
		return p.rules.Binary(Op(p.IntN(int(Negative))), any(), any())
	}),
	within("Binary numbers", func(p *rowProgram, any, number, truth func() Column) (Column, error) {
		return p.rules.Binary(Op(p.IntN(int(Negative))), number(), number())
	}),
	within("Binary own", func(p *rowProgram, any, number, truth func() Column) (Column, error) {
		c := number()
		if p.IntN(2) == 0 {
			return p.rules.Binary(Op(p.IntN(int(Negative))), p.own(c), c)
		}
		return p.rules.Binary(Op(p.IntN(int(Negative))), c, p.own(c))
	}),
	within("Unary", func(p *rowProgram, any, number, truth func() Column) (Column, error) {
		return p.rules.Unary(Negative+Op(p.IntN(int(IsFinite-Negative)+1)), number())
	}),
	within("Round", func(p *rowProgram, any, number, truth func() Column) (Column, error) {
		return p.rules.Round(number(), p.IntN(4)-1)
	}),
	within("Cast", func(p *rowProgram, any, number, truth func() Column) (Column, error) {
		return p.rules.Cast(any(), []DType{{Type: Bool}, {Type: Int16}, {Type: Int32}, {Type: Int64}, {Type: Float32}, {Type: Float64}, {Type: Date, Unit: Day}, {Type: Date, Unit: Month}, {Type: Str}}[p.IntN(9)])
	}),
	within("Where", func(p *rowProgram, any, number, truth func() Column) (Column, error) {
		a := any()
		return p.rules.Where(truth(), a, p.from([]Column{number(), p.own(a), a}, anyColumn))
	}),
	within("Select", func(p *rowProgram, any, number, truth func() Column) (Column, error) {
		a := number()
		return p.rules.Select([]Column{truth(), truth()}, []Column{a, number()}, p.own(a))
	}),
	within("Clip", func(p *rowProgram, any, number, truth func() Column) (Column, error) {
		a := number()
		lo, hi := p.own(a), number()
		return p.rules.Clip(a, &lo, &hi)
	}),
	within("DivideWhere", func(p *rowProgram, any, number, truth func() Column) (Column, error) {
		return p.rules.DivideWhere(number(), number(), number(), truth())
	}),
	within("SetMask", func(p *rowProgram, any, number, truth func() Column) (Column, error) {
		a := number()
		if !isNumber(a) {
			return Column{}, errNone
		}
		return p.rules.SetMask(a, truth(), drawSample(p.Rand, kind{dtype: a.DType(), form: NumpyScalar, n: 1}))
	}),
	within("IsIn", func(p *rowProgram, any, number, truth func() Column) (Column, error) {
		return p.rules.IsIn(number(), Of([]float64{0, 1, 2.5, 100}))
	}),
	within("SearchSorted", func(p *rowProgram, any, number, truth func() Column) (Column, error) {
		return p.rules.SearchSorted(Of([]float64{0, 1, 2.5, 100}), number(), p.IntN(2) == 0)
	}),
	within("Codes", func(p *rowProgram, any, number, truth func() Column) (Column, error) {
		if c := any(); c.Type() == Enum {
			return c.Codes(), nil
		}
		return Column{}, errNone
	}),
	within("Compact", func(p *rowProgram, any, number, truth func() Column) (Column, error) { return any().Compact(), nil }),
	within("again", func(p *rowProgram, any, number, truth func() Column) (Column, error) {
		// A long chain gives places of storage away and takes them again.
		c := number()
		var err error
		for range 6 {
			if c, err = p.rules.Binary([]Op{Add, Multiply, Subtract, Maximum}[p.IntN(4)], c, number()); err != nil {
				break
			}
		}
		return c, err
	}),
	{"Mask", func(p *rowProgram) {
		if len(p.picked) == 0 { // all that is picked is picked by one mask
			c, err := p.from(p.persons, anyColumn).Mask(p.persons[len(p.rows.persons)])
			keepRow(&p.picked, c, err)
		}
	}},
	{"SetMask of picked", func(p *rowProgram) {
		if len(p.picked) > 0 {
			c, err := p.rules.SetMask(p.from(p.persons, isNumber), p.persons[len(p.rows.persons)], p.from(p.picked, isNumber))
			keepRow(&p.persons, c, err)
		}
	}},
	{"Gather", func(p *rowProgram) {
		keepRow(&p.persons, p.from(p.groups, anyColumn).Gather(p.rows.groupOf), nil)
	}},
	{"Place", func(p *rowProgram) {
		c, err := p.rules.Place(p.from(p.persons, anyColumn), PyInt(0), p.holder)
		keepRow(&p.groups, c, err)
	}},
	{"Any", func(p *rowProgram) { p.decide(p.rules.Any) }},
	{"All", func(p *rowProgram) { p.decide(p.rules.All) }},
	{"Ask", func(p *rowProgram) {
		c := p.from(p.persons, isTruth)
		holds, err := p.rules.Any(c)
		if err != nil {
			return
		}
		if p.tape != nil {
			p.tape.Ask(false, holds, holds)
			Asked(c)
		}
		p.goOn(holds)
	}},
	aggregated("GroupSum", GroupSum), aggregated("GroupMin", GroupMin), aggregated("GroupMax", GroupMax),
	aggregated("GroupAll", GroupAll), aggregated("GroupAny", GroupAny),
	{"GroupRank", func(p *rowProgram) {
		c, who := p.from(p.persons, isNumber), p.from(p.persons, isTruth)
		if !isNumber(c) || !isTruth(who) {
			return
		}
		if strange, err := p.rules.CountsNaN(c, who); err != nil || strange {
			return
		}
		ranks, err := GroupRank(c, who, p.rows.groupOf, len(p.rows.holder), len(p.rows.groupOf))
		keepRow(&p.persons, ranks, err)
	}},
}

var errNone = valueError("there is none")

func (p *rowProgram) decide(what func(Column) (bool, error)) {
	if holds, err := what(p.from(p.persons, isNumber)); err == nil {
		p.goOn(holds)
	}
}

// goOn takes one way or the other.
func (p *rowProgram) goOn(holds bool) {
	c := p.from(p.persons, isNumber)
	op := Subtract
	if holds {
		op = Add
	}
	c, err := p.rules.Binary(op, c, PyInt(1))
	keepRow(&p.persons, c, err)
}

// runRows runs the program of a seed.
func runRows(seed uint64, rules *Rules, w *rows, tape *Tape) (p *rowProgram, inputs []Column) {
	p = &rowProgram{Rand: rand.New(rand.NewPCG(seed, 5)), rules: rules, tape: tape, rows: w}
	inputs = p.begin()
	for range 4 + p.IntN(20) {
		p.step()
	}
	return p, inputs
}

// results are the last columns: what they were made of gives its storage away.
func (p *rowProgram) results() []Column {
	var out []Column
	for _, list := range [][]Column{p.persons, p.groups, p.picked} {
		out = append(out, list[max(0, len(list)-2):]...)
	}
	return out
}

// sameRows compares what was played with what a run gave.
func sameRows(t *testing.T, what string, seed uint64, got []Column, want *rowProgram) {
	t.Helper()
	all := want.results()
	if len(got) != len(all) {
		t.Fatalf("seed %d, %s: %d results, want %d\n%v", seed, what, len(got), len(all), want.log)
	}
	for i := range got {
		g := got[i]
		if g.constant && g.IsArray() {
			g.n = all[i].n // a result that never varies is as long as whoever asked wants it
		}
		if !g.Same(all[i]) {
			t.Fatalf("seed %d, %s: result %d is %v (%v), want %v (%v)\n%v", seed, what, i, g, g.DType(), all[i], all[i].DType(), want.log)
		}
	}
}

// TestRowTapePlaysWhatRunsGive records programs and plays them on other rows, as they are and as special programs, each other one after it was packed.
func TestRowTapePlaysWhatRunsGive(t *testing.T) {
	made, played, special, packed, refused := 0, 0, 0, 0, map[string]int{}
	var player Player
	mine := func(_ int, _, mine bool) bool { return mine }
	for seed := uint64(1); seed <= rowPrograms; seed++ {
		r := rand.New(rand.NewPCG(seed, 6))
		rules := []*Rules{{}, {NEP50: true}}[r.IntN(2)]
		ofPersons, ofGroups := rowKinds(r, 2), rowKinds(r, 2)
		tape := NewRowTape(1 << 12)
		first, inputs := runRows(seed, rules, drawRows(r, ofPersons, ofGroups), tape)
		program, err := tape.Program(inputs, first.results())
		if err != nil {
			refused[err.Error()]++
			continue
		}
		made++
		if back := again(t, program, testNames{}); back != nil {
			if packed++; seed%2 == 0 {
				program = back
			}
		}
		seen := &Seen{}
		var narrow *Program
		for range 5 {
			other := drawRows(r, ofPersons, ofGroups)
			want, _ := runRows(seed, rules, other, nil)
			if narrow != nil {
				if got, ok := player.Play(narrow, rules, other.inputs(), mine); ok {
					sameRows(t, "special", seed, got, want)
					special++
				}
			}
			player.Seen = &Seen{}
			got, ok := player.Play(program, rules, other.inputs(), mine)
			if ok {
				sameRows(t, "played", seed, got, want)
				played++
				seen.Join(player.Seen)
				narrow = program.Special(rules, seenAgain(t, seen, testNames{}))
				if narrow != nil {
					if back := again(t, narrow, testNames{}); back != nil && seed%2 == 0 {
						narrow = back
					}
				}
			}
			player.Seen = nil
		}
	}
	t.Logf("%d programs, played %d times, %d times as special ones, %d packed, refused %v", made, played, special, packed, refused)
	if made < rowPrograms/4 || played < made*3 || special < made*2 || packed < made/3 {
		t.Error("too few programs were played", fmt.Sprint(made, played, special, packed))
	}
}

// TestSpecialProgramsDoOnce has a special program leave out what nobody's being off makes no choice of, and do once what is the same then.
func TestSpecialProgramsDoOnce(t *testing.T) {
	rules := &Rules{}
	tape := NewRowTape(1 << 10)
	rows := []Column{Of([]float64{1, 2, 3}), Of([]bool{false, false, false})}
	x, off := tape.Input(rows[0]), tape.Input(rows[1])
	do := func(op Op, a, b Column) Column {
		c, err := rules.Binary(op, a, b)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	never, on := off.Compact(), do(Greater, x, PyInt(1))
	result := do(Add, x, do(Multiply, on, never))
	result = do(Add, result, do(Multiply, x, do(Add, on, never)))
	result = do(Add, result, do(Multiply, x, on))
	program, err := tape.Program([]Column{x, off}, []Column{result})
	if err != nil {
		t.Fatal(err)
	}
	player := Player{Seen: &Seen{}}
	mine := func(_ int, _, mine bool) bool { return mine }
	if _, ok := player.Play(program, rules, rows, mine); !ok {
		t.Fatal("the program does not hold for the rows that it was recorded with")
	}
	special := program.Special(rules, player.Seen)
	if len(program.moves) != 9 || len(special.moves) != 6 {
		t.Errorf("%d moves, of the special program %d, want 9 and 6", len(program.moves), len(special.moves))
	}
	player.Seen = nil
	others := []Column{Of([]float64{4, 0.5}), Of([]bool{false, false})}
	got, ok := player.Play(special, rules, others, mine)
	if want := Of([]float64{12, 0.5}); !ok || !got[0].Same(want) {
		t.Errorf("the special program gives %v, %v, want %v", got, ok, want)
	}
	others[1] = Of([]bool{true, false})
	if _, ok := player.Play(special, rules, others, mine); ok {
		t.Error("the special program holds for rows of which one is on")
	}
}
