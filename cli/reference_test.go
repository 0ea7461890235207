package cli

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"edict/messaging"
	"edict/platform/fault"
	"edict/platform/web"
)

// TestReference holds the generated pages below docs/reference to their sources; -update rewrites them. docs/reference/edict.sample.yaml
// is another one (TestSampleIsWritten), docs/reference/messaging-api.md a third (package e2e/docs).
func TestReference(t *testing.T) {
	parser, err := newParser(new(commands), &Env{Stdout: os.Stdout, Stderr: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	for name, page := range map[string]string{
		"cli.md": commandPage(parser.Model), "errors.md": errorPage(t), "limits.md": limitPage(parser.Model), "metrics.md": metricPage(t),
	} {
		file := "../docs/reference/" + name
		if flag.Lookup("update").Value.String() == "true" {
			if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		have, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(have) != page {
			t.Errorf("%s differs from its source: run go test ./cli -run TestReference -update", file)
		}
	}
}

// generated ends the introduction of a page.
const generated = " This page is generated (`go test ./cli -run TestReference -update`).\n"

// commandPage lists all commands with their own flags. The sample describes the flags of a section of the settings.
func commandPage(model *kong.Application) string {
	var commands []*listed
	for _, c := range listCommands(model.Node, "edict")[1:] {
		if len(c.node.Children) == 0 || c.node.DefaultCmd != nil {
			commands = append(commands, listCommand(c.path, c.node))
		}
	}
	var b strings.Builder
	b.WriteString("# Command line\n\nLook up commands and flags." + generated + "\n" +
		"Exit status: 0 done, 1 failed, 2 invalid call, 3 from `population merge` when parts must be computed again. " +
		"Results go to standard output, everything else to standard error.\n\n" +
		"Every flag is also a key of the configuration file and an `EDICT_` variable. Flags override the environment, which overrides the file. " +
		"`edict help COMMAND` has more about arguments and flags. A channel is a name, or USER#NAME for another user's private channel; users go by name or id.\n\n" +
		"These flags apply to many commands. [edict.sample.yaml](edict.sample.yaml) describes them; `client` has `--url` and `--token`.\n\n" +
		"| flags of | apply to |\n|---|---|\n")
	var sections []string
	apply := map[string][]string{}
	for _, c := range commands {
		if apply[c.sections] == nil {
			sections = append(sections, c.sections)
		}
		name := "`" + c.path + "`"
		if first, _, _ := strings.Cut(c.path, " "); !slices.ContainsFunc(commands, func(o *listed) bool { return strings.HasPrefix(o.path+" ", first+" ") && o.sections != c.sections }) {
			name = "`" + first + "`"
		}
		apply[c.sections] = append(apply[c.sections], name)
	}
	for _, s := range sections {
		if s != "" {
			fmt.Fprintf(&b, "| %s | %s |\n", s, strings.Join(slices.Compact(apply[s]), ", "))
		}
	}
	earlier := map[string]string{}
	for _, c := range commands {
		fmt.Fprintf(&b, "\n## `%s`\n%s\n", c.usage, c.help)
		own := strings.Join(c.lines, "")
		switch {
		case len(own) > 500 && earlier[own] != "":
			fmt.Fprintf(&b, "Flags are those of `%s`.\n", earlier[own])
		case own != "":
			earlier[own] = c.path
			b.WriteString("\n" + own)
		}
	}
	return b.String()
}

// listed is a command on its page: a line for each of its own flags, and the sections of the settings that apply to it.
type listed struct {
	path, usage, help, sections string
	lines                       []string
}

func listCommand(path string, node *kong.Node) *listed {
	l := &listed{path: strings.TrimPrefix(path, "edict "), help: cell(node.Help)}
	l.usage = strings.TrimSuffix(node.Summary(), " [flags]")
	var sections []string
	line := func(name, help, fallback string) {
		if fallback != "" {
			fallback = " Default: `" + fallback + "`."
		}
		l.lines = append(l.lines, fmt.Sprintf("- `%s`: %s%s\n", name, strings.ReplaceAll(strings.TrimSpace(firstSentence.FindString(help)), "<", `\<`), fallback))
	}
	for _, f := range node.Flags {
		switch {
		case f.Name == "help" || f.Hidden:
		case shared(f):
			if !slices.Contains(sections, "`"+f.Group.Key+"`") {
				sections = append(sections, "`"+f.Group.Key+"`")
			}
		default:
			name := "--" + f.Name
			if !f.IsBool() {
				name += "=" + f.FormatPlaceHolder()
			}
			if f.Short != 0 {
				name = "-" + string(f.Short) + ", " + name
			}
			line(name, f.Help, f.Default)
		}
	}
	l.sections = strings.Join(sections, ", ")
	return l
}

// cell is a text in a cell of a table: no column ends within, and no word is taken for a tag.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", `\<`, "\n", " ").Replace(text)
}

func quoted(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

// errorPage has the kinds of errors and the application codes of messaging. Meaning and remedy are the comments of the constants.
func errorPage(t *testing.T) string {
	var b strings.Builder
	b.WriteString("# Errors\n\nLook up an error's meaning and remedy." + generated + "\n" +
		"Messaging answers `{code, message}`, `/auth` `{error, error_description}`, the simulation in the shape of each dialect. " +
		"The message names the place, the cause and the remedy; the nearest known name follows a typing error.\n\n" +
		"## Kinds\n| status | kind | meaning | remedy |\n|---|---|---|---|\n")
	kinds := constantComments(t, "../platform/fault/fault.go", "Kind")
	for i, c := range kinds {
		kind := fault.Kind(i)
		meaning, remedy, _ := strings.Cut(c.comment, "; ")
		fmt.Fprintf(&b, "| %d | %s | %s | %s |\n", web.Status(kind), kind, cell(meaning), cell(remedy))
	}
	b.WriteString("\nWith 429 and 503, `Retry-After` holds the seconds to wait.\n\n## Codes of messaging\n| code | usual status | meaning | remedy |\n|---|---|---|---|\n")
	source, err := os.ReadFile("../messaging/codes.go")
	if err != nil {
		t.Fatal(err)
	}
	kindOf := map[string]string{}
	for _, m := range codeKind.FindAllStringSubmatch(string(source), -1) {
		kindOf[m[1]] = m[2]
	}
	for _, c := range constantComments(t, "../messaging/codes.go", "Code") {
		kind := slices.IndexFunc(kinds, func(k constant) bool { return k.name == kindOf[c.name] })
		meaning, remedy, _ := strings.Cut(c.comment, "; ")
		fmt.Fprintf(&b, "| %s | %d | %s | %s |\n", c.value, web.Status(fault.Kind(kind)), cell(meaning), cell(remedy))
	}
	return b.String()
}

// codeKind is a row of the table of kinds in messaging/codes.go.
var codeKind = regexp.MustCompile(`\t(Code\w+): +fault\.(\w+),`)

type constant struct{ name, value, comment string }

// constantComments are the constants of a file whose first one has a type, with the comments after them.
func constantComments(t *testing.T, file, typed string) (all []constant) {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range tree.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		if id, ok := group.Specs[0].(*ast.ValueSpec).Type.(*ast.Ident); !ok || id.Name != typed {
			continue
		}
		for _, spec := range group.Specs {
			s := spec.(*ast.ValueSpec)
			c := constant{name: s.Names[0].Name, comment: strings.TrimSpace(s.Comment.Text())}
			if len(s.Values) > 0 {
				if lit, ok := s.Values[0].(*ast.BasicLit); ok {
					c.value = lit.Value
				}
			}
			all = append(all, c)
		}
	}
	return all
}

// firstSentence is the part of a help that pages have; the sample and -h have all of it.
var firstSentence = regexp.MustCompile(`^.*?\S\.( |$)`)

// limitHelp is how the help of a setting begins that bounds something.
var limitHelp = regexp.MustCompile(`^(Maximum|Timeout|Retention|Lifetime|Heartbeat|Target)`)

// limitPage has every setting that is a bound, and the bounds of messaging that are fixed.
func limitPage(model *kong.Application) string {
	var b strings.Builder
	b.WriteString("# Limits\n\nLook up every limit, its default and its setting." + generated + "\n" +
		"Exceeding a limit returns 400, 413, 429, 503 or 507 ([errors](errors.md)). [edict.sample.yaml](edict.sample.yaml) has further details of each setting.\n\n## Settings\n| setting | default | limit |\n|---|---|---|\n")
	for _, f := range serveNode(model).Flags {
		if limitHelp.MatchString(f.Help) && shared(f) {
			fmt.Fprintf(&b, "| `--%s` | %s | %s |\n", f.Name, cmp.Or(quoted(f.Default), "none"), cell(firstSentence.FindString(f.Help)))
		}
	}
	l := messaging.DefaultLimits()
	b.WriteString("\n## Fixed limits of messaging\n| limit | value |\n|---|---|\n")
	for _, row := range []struct {
		name  string
		value any
	}{
		{"characters of a channel description", l.Description}, {"results of a page", l.Page}, {"content of a page in MiB (a single larger item is still returned)", l.PageBytes >> 20},
		{"ids of a request", l.IDs}, {"recipients of a direct message", l.Recipients}, {"tags of a channel", l.Tags}, {"characters of a tag", l.TagLength},
		{"bytes of messageType and contentType", l.TypeLength}, {"bytes of an idempotency key", l.IdempotencyKey}, {"characters of a device label", l.Label},
		{"bytes of a push target", l.Push}, {"days that ended subscriptions and deleted channels are replayed to streams", int(l.ChangesFor.Hours() / 24)},
	} {
		fmt.Fprintf(&b, "| %s | %d |\n", row.name, row.value)
	}
	return b.String()
}

// metricPage has every metric that a literal of the sources names, with its help.
func metricPage(t *testing.T) string {
	t.Helper()
	rows := map[string]string{}
	for _, dir := range []string{".", "../platform", "../messaging", "../simulation", "../watch"} {
		err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			tree, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(tree, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					addMetric(rows, call)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	b.WriteString("# Metrics\n\nLook up the metrics of `GET /metrics` on `--admin-listen`." + generated + "\n" +
		"Metrics of Go and of the process (`go_…`, `process_…`) come in addition.\n\n| metric | type | labels | meaning |\n|---|---|---|---|\n")
	for _, row := range slices.Sorted(func(yield func(string) bool) {
		for _, row := range rows {
			if !yield(row) {
				return
			}
		}
	}) {
		b.WriteString(row)
	}
	return b.String()
}

// addMetric adds the metric that a call makes: prometheus.New…(Opts{Name, Help}, labels) or a function of name and help.
func addMetric(rows map[string]string, call *ast.CallExpr) {
	var name, help string
	var labels []string
	for _, arg := range call.Args {
		lit, ok := arg.(*ast.CompositeLit)
		if !ok {
			continue
		}
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				switch key, _ := kv.Key.(*ast.Ident); {
				case key != nil && key.Name == "Name":
					name = literal(kv.Value)
				case key != nil && key.Name == "Help":
					help = literal(kv.Value)
				case key != nil && key.Name == "ConstLabels":
					if set, ok := kv.Value.(*ast.CompositeLit); ok {
						for _, e := range set.Elts {
							labels = append(labels, "`"+literal(e.(*ast.KeyValueExpr).Key)+"`")
						}
					}
				}
			} else if text := literal(e); text != "" {
				labels = append(labels, "`"+text+"`")
			}
		}
	}
	if name == "" && len(call.Args) >= 2 {
		name, help = literal(call.Args[0]), literal(call.Args[1])
	}
	if !strings.HasPrefix(name, "edict_") || !strings.Contains(help, " ") {
		return
	}
	kind, called := "gauge", ""
	if fun, ok := call.Fun.(*ast.SelectorExpr); ok {
		called = fun.Sel.Name
	}
	switch {
	case strings.Contains(called, "Histogram"):
		kind = "histogram"
	case strings.Contains(called, "Counter"), strings.HasSuffix(name, "_total"):
		kind = "counter"
	}
	rows[name] = fmt.Sprintf("| `%s` | %s | %s | %s |\n", name, kind, strings.Join(labels, ", "), cell(help))
}

// literal is the text of a string in a source, "" of anything else.
func literal(e ast.Expr) string {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		text, _ := strconv.Unquote(lit.Value)
		return text
	}
	return ""
}
