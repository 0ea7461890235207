package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"edict/simulation/country"
	"edict/simulation/legislation"
	"edict/simulation/population"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

// explain prints the tree behind a figure: VARIABLE[<PERIOD>][[INDEX]], and steps to a branch behind slashes.
func (c *calculateCmd) explain(ctx context.Context, env *Env, pkg *country.Package, system *legislation.System, doc legislation.Data) error {
	path := strings.Split(c.Why, "/")
	name, _, _ := strings.Cut(path[0], "[")
	name, at, dated := strings.Cut(name, "<")
	at = strings.TrimSuffix(at, ">")
	_, isRequest := doc.Map.Get("scenarios")
	if !isRequest {
		if _, err := system.Lookup(name); err != nil {
			return fmt.Errorf("--why %s: %w", population.Shown(c.Why), err)
		}
		doc, at = scenarioOf(doc, name, at)
		if at == "" {
			return &UsageError{fmt.Sprintf("--why %s: the situation does not request %s for any period: add one, as in --why '%s<2024>'", c.Why, name, name)}
		}
		dated = true
	}
	figure := map[string]any{"variable": name}
	if dated {
		figure["period"] = at
	}
	if _, index, ok := strings.Cut(path[0], "["); ok {
		figure["index"] = json.Number(strings.TrimSuffix(index, "]"))
	}
	asked, err := json.Marshal(map[string]any{"figure": figure, "depth": c.Depth, "path": path})
	if err != nil {
		return &UsageError{fmt.Sprintf("--why %s: an index is a whole number", c.Why)}
	}
	more, err := scenario.DecodeJSON(asked)
	if err != nil {
		return &UsageError{fmt.Sprintf("--why %s: an index is a whole number", c.Why)}
	}
	for key, value := range more.Map.All() {
		doc.Map.Set(key, value)
	}
	answer, err := c.ask(ctx, env, pkg, system, "/api/2/why", doc, !isRequest)
	if err != nil {
		return err
	}
	if answer.status >= http.StatusBadRequest {
		return fmt.Errorf("%s cannot be explained: %s", c.Why, answer.reasons("scenarios/0/test_case/"))
	}
	var explained struct{ Value branch }
	if err := json.Unmarshal(answer.body.Bytes(), &explained); err != nil {
		return err
	}
	return printWhy(env.Stdout, &explained.Value)
}

// scenarioOf makes a request of a situation: its values are the test case, its nulls are left out, and the period is the one
// that is named, or else that of the first null of the variable.
func scenarioOf(doc legislation.Data, variable, at string) (request legislation.Data, period string) {
	entities := legislation.NewOrdered[legislation.Data]()
	for plural, members := range doc.Map.All() {
		kept := legislation.NewOrdered[legislation.Data]()
		for id, member := range members.Map.All() {
			values := legislation.NewOrdered[legislation.Data]()
			for name, value := range member.Map.All() {
				if value.Kind == legislation.Mapping {
					var asked string
					value, asked = withoutNulls(value)
					if name == variable {
						at = cmp.Or(at, asked)
					}
				}
				if value.Kind != legislation.Null {
					values.Set(name, value)
				}
			}
			kept.Set(id, legislation.Data{Kind: legislation.Mapping, Map: values})
		}
		entities.Set(plural, legislation.Data{Kind: legislation.Mapping, Map: kept})
	}
	one := legislation.NewOrdered[legislation.Data]()
	one.Set("period", legislation.DataOf(vector.PyStr(at)))
	one.Set("test_case", legislation.Data{Kind: legislation.Mapping, Map: entities})
	out := legislation.NewOrdered[legislation.Data]()
	out.Set("scenarios", legislation.Data{Kind: legislation.List, List: []legislation.Data{{Kind: legislation.Mapping, Map: one}}})
	return legislation.Data{Kind: legislation.Mapping, Map: out}, at
}

// withoutNulls leaves out the periods that are asked for, and returns the first of them.
func withoutNulls(values legislation.Data) (kept legislation.Data, asked string) {
	out := legislation.NewOrdered[legislation.Data]()
	for at, value := range values.Map.All() {
		if value.Kind == legislation.Null {
			asked = cmp.Or(asked, at)
		} else {
			out.Set(at, value)
		}
	}
	if out.Len() == 0 {
		return legislation.Data{}, asked
	}
	return legislation.Data{Kind: legislation.Mapping, Map: out}, asked
}

// branch is a branch of an answer of /api/2/why.
type branch struct {
	Variable, Label, Period, ID, Origin, Cut string
	Index                                    int
	Value                                    any
	Others                                   map[string]any
	Also                                     []struct{ ID string }
	Formula                                  struct {
		File string
		Line int
	}
	Because []struct {
		Of, File, Text string
		Line           int
		Is             any
		Sides          []struct {
			Text   string
			Value  any
			Values []any
		}
	}
	Parameters []struct {
		Name, Since string
		Value       any
	}
	Branches []*branch
	Zeros    []string
	More     int
	Folded   bool
}

// whyLine is a line of the tree: what stands left, its value, and what is said about it.
type whyLine struct{ left, value, note string }

// printWhy writes a tree with its values in one column.
func printWhy(w io.Writer, root *branch) error {
	f, isFile := w.(*os.File)
	v := viewer{colour: isFile && term.IsTerminal(int(f.Fd()))}
	lines := root.lines("", "")
	left, value := 0, 0
	for _, l := range lines {
		if l.value != "" {
			left, value = max(left, utf8.RuneCountInString(l.left)), max(value, utf8.RuneCountInString(l.value))
		}
	}
	var out bytes.Buffer
	for _, l := range lines {
		if l.value == "" {
			fmt.Fprintf(&out, "%s%s\n", l.left, v.paint("2", l.note))
			continue
		}
		line := l.left + strings.Repeat(" ", left-utf8.RuneCountInString(l.left)+2+value-utf8.RuneCountInString(l.value)) + v.paint("1", l.value)
		if l.note != "" {
			line += "  " + v.paint("2", l.note)
		}
		out.WriteString(line + "\n")
	}
	_, err := w.Write(out.Bytes())
	return err
}

// lines are those of a branch and what is below it; first stands before its own line, below before the others.
func (b *branch) lines(first, below string) []whyLine {
	out := []whyLine{{first + b.name(), shown(b.Value), b.note()}}
	text := func(note string) { out = append(out, whyLine{left: below + "    ", note: note}) }
	for _, c := range b.Because {
		where := fmt.Sprintf("line %d", c.Line)
		if c.Of != "" {
			where = fmt.Sprintf("%s, %s:%d", c.Of, c.File, c.Line)
		}
		text(fmt.Sprintf("%s is %s (%s)", c.Text, shown(c.Is), where))
		for _, s := range c.Sides {
			value := shown(s.Value)
			if s.Values != nil {
				value = shown(s.Values)
			}
			if s.Text != value && s.Text != c.Text {
				text(fmt.Sprintf("  %s = %s", s.Text, value))
			}
		}
	}
	for _, p := range b.Parameters {
		since := ""
		if p.Since != "" {
			since = ", since " + p.Since
		}
		text(fmt.Sprintf("%s = %s%s", p.Name, shownParameter(p.Value), since))
	}
	for i, child := range b.Branches {
		before, after := "├─ ", "│  "
		if i == len(b.Branches)-1 && len(b.Zeros) == 0 && b.More == 0 {
			before, after = "└─ ", "   "
		}
		out = append(out, child.lines(below+before, below+after)...)
	}
	if len(b.Zeros) > 0 {
		out = append(out, whyLine{left: below + "└─ ", note: "0 because no value was given: " + strings.Join(b.Zeros, ", ")})
	}
	if b.More > 0 {
		out = append(out, whyLine{left: below + "└─ ", note: fmt.Sprintf("%d branches more", b.More)})
	}
	return out
}

// shownParameter is the value of a parameter; of a scale what holds from which threshold on.
func shownParameter(v any) string {
	list, _ := v.([]any)
	var parts []string
	for _, one := range list {
		bracket, _ := one.(map[string]any)
		threshold, ok := bracket["threshold"]
		if !ok || len(bracket) != 2 {
			return shown(v)
		}
		for name, value := range bracket {
			if name != "threshold" {
				parts = append(parts, shown(value)+" from "+shown(threshold))
			}
		}
	}
	if len(parts) == 0 {
		return shown(v)
	}
	return strings.Join(parts, ", ")
}

func (b *branch) name() string {
	name := b.Variable
	if b.Period != "" {
		name += " " + b.Period
	}
	ids := []string{cmp.Or(b.ID, fmt.Sprint(b.Index))}
	for _, also := range b.Also {
		ids = append(ids, also.ID)
	}
	return name + " " + strings.Join(ids, ", ")
}

// note is what is said behind the value.
func (b *branch) note() string {
	var notes []string
	if b.Label != "" {
		notes = append(notes, b.Label)
	}
	if n := len(b.Others); n > 0 {
		notes = append(notes, fmt.Sprintf("and on %d periods more", n))
	}
	switch {
	case b.Origin != "formula":
		notes = append(notes, b.Origin)
	case b.Formula.File != "":
		notes = append(notes, fmt.Sprintf("%s:%d", b.Formula.File, b.Formula.Line))
	}
	if b.Cut != "" {
		notes = append(notes, map[string]string{"depth": "more below", "size": "more below", "shown": "shown elsewhere"}[b.Cut])
	}
	return strings.Join(notes, ", ")
}

// shown is a value for people; what a terminal might take for a command is escaped.
func shown(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	if s, ok := v.(string); ok && !slices.ContainsFunc([]byte(s), func(b byte) bool { return b < ' ' || b == 0x7f }) {
		return s
	}
	return string(text)
}
