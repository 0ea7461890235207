package edict

// The prose linter: every text that a person reads follows the same rules, whether it is a page, the help of a command,
// an error or a comment. testdata/prose.txt holds the exceptions and the counts that may only fall.

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var updateProse = flag.Bool("update", false, "lower the counts of testdata/prose.txt to those found")

// maxWords is the length of the longest sentence in pages, help and API texts.
const maxWords = 25

// phrases are the patterns that no text may have, with the replacement. A pattern is a sequence of words, each with its
// alternatives; ^ is the beginning of a sentence that is no question.
var phrases = []struct{ pattern, instead string }{
	{"^ what|who|whoever|where|of", "start with a noun or a verb"},
	{"somebody|nobody|everybody|anybody|whoever|whom", "name the actor: user, client, admin, caller"},
	{"one's", "name the actor: user, client, admin, caller"},
	{"one may|can|must|has|is|does|wants|publishes", "name the actor: user, client, admin, caller"},
	{"newcomer|newcomers|anew", "again"},
	{"once more", "again"},
	{"in vain", "without success"},
	{"by turns", "alternating"},
	{"on the clock", "wall time"},
	{"processor|processors", "CPU"},
	{"in place of", "instead of"},
	{"beside", "next to, compared with, in addition to"},
	{"of its|their|our|your|his|one's own", "its own X"},
	{"is|are|be|stay|stays good on|for|until", "is valid"},
	{"come|comes|came about", "is computed from"},
	{"is|are made of", "consists of"},
	{"look|looks|looked|looking at", "check, examine, read"},
	{"is|are|was|were|be|been|being|get|gets told|said", "receives, is reported, is documented"},
	{"tell|tells|told|telling of|what|that|who|whom|which|how|apart|it|them|the|a|user|users|client|clients|people", "return, report, log, distinguish"},
	{"say|says|saying what|that|of|who|which|how|so|why|where|when|whether|it|the|no|nothing|more|one", "return, report, log, state"},
	{"knows|knew of|what|that|how|which|no|nothing|it|them|whether|the|a|an|all|about", "has, reads, supports"},
	{"forget|forgets|forgot|forgotten|forgetting", "evict, discard"},
	{"believe|believes|believed", "trust, accept"},
	{"learn|learns|learnt|learned|learning of|that|what|from|it", "receive, read"},
	{"stand|stands|stood|live|lives|lived in|on|at|behind|before|below|above|under|between|there|here", "is, is stored"},
	{"behind request|requests", "in the background"},
	{"memory|time|results|rows|items|requests at most|least", "peak, maximum, minimum"},
	{"what is|was|are not there", "not supported"},
	{"what there is|are", "name the thing"},
	{"alone", "only"},
	{"nothing but", "only"},
	{"is|are|was|were|be meant", "name the likely value"},
	{"goes|go|went on", "continue"},
	{"in whatever|whichever", "however"},
	{"as they|it come|comes", "live"},
	{"all that is|are|was|were|has|have|it|a|the", "everything, all data"},
	{"give|gives|gave none|nothing|it|them back", "return, release"},
	{"give|gives|gave back", "return, release"},
}

// phrase is a pattern, read.
type phrase struct {
	first   bool
	words   [][]string
	instead string
}

// phrasesBy are the patterns by their first words.
var phrasesBy = func() map[string][]phrase {
	all := map[string][]phrase{}
	for _, p := range phrases {
		pattern, first := strings.CutPrefix(p.pattern, "^ ")
		read := phrase{first: first, instead: p.instead}
		for alternatives := range strings.FieldsSeq(pattern) {
			read.words = append(read.words, strings.Split(alternatives, "|"))
		}
		for _, word := range read.words[0] {
			all[word] = append(all[word], read)
		}
	}
	return all
}()

// faults returns the patterns that a sentence has.
func faults(sentence string) (wrong []string) {
	words := strings.FieldsFunc(strings.ToLower(sentence), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r == '\'' || r == '-' || r == '_')
	})
	for i, word := range words {
		for _, p := range phrasesBy[word] {
			if p.first && (i > 0 || strings.HasSuffix(sentence, "?")) || len(words) < i+len(p.words) {
				continue
			}
			matches := true
			for j, alternatives := range p.words {
				matches = matches && slices.Contains(alternatives, words[i+j])
			}
			if matches {
				wrong = append(wrong, fmt.Sprintf("%q: %s", strings.Join(words[i:i+len(p.words)], " "), p.instead))
			}
		}
	}
	return wrong
}

// passage is a text with its place. Its kind is one of those that TestProse reports.
type passage struct {
	kind, file string
	line       int
	text       string
}

// area is the part of the repository whose count the passage belongs to: pages move and comments are rewritten package by package.
func (p passage) area() string {
	switch p.kind {
	case "readme", "docs", "internals", "changelog":
		return "pages"
	case "comments":
		parts := strings.Split(path.Dir(p.file), "/")
		if parts[0] == "e2e" || parts[0] == "bench" {
			return "comments " + parts[0]
		}
		return "comments " + path.Join(parts[:min(len(parts), 2)]...)
	}
	return p.kind
}

// long reports whether the length of the passage's sentences is bounded.
func (p passage) long() bool {
	return slices.Contains([]string{"readme", "docs", "help", "api"}, p.kind)
}

// proseTotal holds the figures of one kind of text.
type proseTotal struct {
	words, patterns, over int
	lengths               []int
}

// TestProse reads every text of the repository. With -v it prints patterns per 1,000 words and sentence lengths.
func TestProse(t *testing.T) {
	rules := readProseRules(t)
	totals := map[string]*proseTotal{}
	counts := map[string]int{}
	found := map[string][]string{}
	for _, p := range passages(t) {
		total := totals[p.kind]
		if total == nil {
			total = &proseTotal{}
			totals[p.kind] = total
		}
		key := p.area()
		for _, sentence := range sentences(p.text) {
			n := len(strings.Fields(sentence))
			total.words += n
			total.lengths = append(total.lengths, n)
			wrong := faults(sentence)
			total.patterns += len(wrong)
			if n > maxWords {
				total.over++
				if p.long() {
					wrong = append(wrong, fmt.Sprintf("%d words: at most %d", n, maxWords))
				}
			}
			if len(wrong) == 0 || rules.allowed(sentence) {
				continue
			}
			counts[key] += len(wrong)
			found[key] = append(found[key], fmt.Sprintf("%s:%d: %s\n\t%s", p.file, p.line, clip(sentence, 160), strings.Join(wrong, "\n\t")))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		if counts[key] > rules.counts[key] && !*updateProse {
			t.Errorf("%s: %d findings, %d allowed by testdata/prose.txt. All of them:\n%s", key, counts[key], rules.counts[key], strings.Join(found[key], "\n"))
		}
	}
	for _, a := range rules.allow {
		if !a.used {
			t.Errorf("testdata/prose.txt allows %q, which no text has any more: remove the line", a.phrase)
		}
	}
	if *updateProse {
		rules.write(t, counts)
	}
	for _, kind := range slices.Sorted(maps.Keys(totals)) {
		total := totals[kind]
		slices.Sort(total.lengths)
		at := func(share float64) int { return total.lengths[int(share*float64(len(total.lengths)-1))] }
		t.Logf("%-9s %7d words %6d sentences  %5.1f patterns per 1,000 words  length: median %d, p90 %d, longest %d, over %d words: %.1f %%", kind, total.words, len(total.lengths),
			1000*float64(total.patterns)/float64(total.words), at(0.5), at(0.9), at(1), maxWords, 100*float64(total.over)/float64(len(total.lengths)))
	}
	if os.Getenv("PROSE") != "" { // the findings of the kinds that match, whether or not they are allowed
		for _, key := range slices.Sorted(maps.Keys(found)) {
			if strings.HasPrefix(key, os.Getenv("PROSE")) {
				t.Logf("%s\n%s", key, strings.Join(found[key], "\n"))
			}
		}
	}
}

// TestProsePatterns: the patterns find what the style replaces, and not the replacement.
func TestProsePatterns(t *testing.T) {
	for _, c := range []struct{ before, after string }{
		{"What is acknowledged is on disk.", "Acknowledged writes are on disk."},
		{"Whom the token is for.", "User that the token is for."},
		{"Of a public channel they still see the record.", "They can still read a public channel's record."},
		{"Nobody is believed by default.", "By default, no proxy is trusted."},
		{"Clients are told to come back.", "Clients receive 503."},
		{"It uses a queue of its own.", "It uses its own queue."},
		{"It runs once more.", "It runs again."},
		{"Disconnects are looked at after 20 ms.", "Disconnects are checked after 20 ms."},
		{"Tokens stay good for 2 h.", "Tokens are valid for 2 h."},
	} {
		if len(faults(c.before)) == 0 {
			t.Errorf("%q: nothing found", c.before)
		}
		if found := faults(c.after); len(found) > 0 {
			t.Errorf("%q: %q", c.after, found)
		}
	}
	if got := sentences("Load it, e.g. Barème. Then run: Wait 2.5 s. Done"); len(got) != 4 {
		t.Errorf("%q", got)
	}
}

// proseRules are the lines of testdata/prose.txt.
type proseRules struct {
	head   []string
	allow  []*proseAllowance
	counts map[string]int
}

// proseAllowance allows sentences that contain a phrase, for a reason.
type proseAllowance struct {
	phrase, reason string
	used           bool
}

func (r *proseRules) allowed(sentence string) (ok bool) {
	for _, a := range r.allow {
		if strings.Contains(sentence, a.phrase) {
			a.used, ok = true, true
		}
	}
	return ok
}

const proseFile = "testdata/prose.txt"

func readProseRules(t *testing.T) *proseRules {
	t.Helper()
	rules := &proseRules{counts: map[string]int{}}
	text, err := os.ReadFile(proseFile)
	if err != nil && !*updateProse {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		kind, rest, _ := strings.Cut(line, "\t")
		a, b, _ := strings.Cut(rest, "\t")
		switch {
		case line == "" || line[0] == '#':
			rules.head = append(rules.head, line)
		case kind == "allow" && a != "" && len(strings.Fields(b)) > 1:
			rules.allow = append(rules.allow, &proseAllowance{phrase: a, reason: b})
		case kind == "count":
			if rules.counts[a], err = strconv.Atoi(b); err != nil {
				t.Errorf("%s:%d: %v", proseFile, i+1, err)
			}
		default:
			t.Errorf("%s:%d: want allow, phrase and reason, or count, kind with area and number, separated by tabs", proseFile, i+1)
		}
	}
	return rules
}

func (r *proseRules) write(t *testing.T, counts map[string]int) {
	t.Helper()
	lines := slices.Clone(r.head)
	for _, a := range r.allow {
		lines = append(lines, "allow\t"+a.phrase+"\t"+a.reason)
	}
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		n := counts[key]
		if before, ok := r.counts[key]; ok && len(r.counts) > 0 {
			n = min(n, before)
		}
		lines = append(lines, fmt.Sprintf("count\t%s\t%d", key, n))
	}
	if err := os.WriteFile(proseFile, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

func clip(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n]) + "…"
	}
	return text
}

var (
	sentenceEnd = regexp.MustCompile("[.!?:](\\s+)[\"`(“*]*[A-Z]")
	shortForm   = regexp.MustCompile(`(^|[\s(])(e\.g|i\.e|etc|vs|No|art|Art|St|[A-Z])\.$`)
)

// sentences splits a text. A colon ends one before a capital letter.
func sentences(text string) (out []string) {
	begin := 0
	for _, m := range sentenceEnd.FindAllStringSubmatchIndex(text, -1) {
		if s := text[begin : m[0]+1]; !shortForm.MatchString(s) {
			out = append(out, strings.TrimSpace(s))
			begin = m[2]
		}
	}
	if s := strings.TrimSpace(text[begin:]); s != "" {
		out = append(out, s)
	}
	return out
}

// passages reads every text of the repository.
func passages(t *testing.T) (all []passage) {
	t.Helper()
	for _, name := range proseFiles(t) {
		switch {
		case strings.HasSuffix(name, ".md"):
			all = append(all, pagePassages(t, name)...)
		case name == "console/text/en.json":
			all = append(all, consolePassages(t, name)...)
		case strings.HasSuffix(name, ".go"):
			all = append(all, goPassages(t, name)...)
		}
	}
	return all
}

// proseFiles are the files that git would track, vendored and generated ones apart.
func proseFiles(t *testing.T) (files []string) {
	t.Helper()
	skip := []string{"testdata", "node_modules", "dist", "vendor", "countries", "bin", "lib"}
	err := filepath.WalkDir(".", func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains(skip, d.Name()) || name != "." && strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
			return nil
		}
		files = append(files, filepath.ToSlash(name))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var (
	codeSpan = regexp.MustCompile("`[^`]*`")
	pageLink = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	listMark = regexp.MustCompile(`^\s*([-*+]|[0-9]+\.)\s+`)
	htmlTag  = regexp.MustCompile(`<[^>]*>`)
)

// pagePassages are the paragraphs, list items, headings and table cells of a page. Code does not count: a span of it is one word.
func pagePassages(t *testing.T, name string) (all []passage) {
	t.Helper()
	kind := "readme"
	switch top, _, below := strings.Cut(name, "/"); {
	case below && top == "docs":
		kind = "docs"
	case below && (top == "internals" || top == "bench"):
		kind = "internals"
	case name == "CHANGELOG.md":
		kind = "changelog"
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var open []string
	begin, fence := 0, false
	flush := func() {
		if len(open) > 0 {
			all = append(all, passage{kind, name, begin, plain(strings.Join(open, " "))})
		}
		open = nil
	}
	for i, line := range strings.Split(string(text), "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```"):
			flush()
			fence = !fence
		case fence || trimmed == "":
			flush()
		case strings.HasPrefix(line, "    ") && len(open) == 0:
		case strings.HasPrefix(trimmed, "|"):
			flush()
			for cell := range strings.SplitSeq(codeSpan.ReplaceAllString(strings.Trim(trimmed, "|"), "`x`"), "|") {
				if strings.Trim(cell, " -:") != "" {
					all = append(all, passage{kind, name, i + 1, plain(strings.TrimSpace(cell))})
				}
			}
		default:
			if strings.HasPrefix(trimmed, "#") || listMark.MatchString(line) {
				flush()
			}
			if len(open) == 0 {
				begin = i + 1
			}
			open = append(open, strings.TrimLeft(listMark.ReplaceAllString(trimmed, ""), "#> "))
			if strings.HasPrefix(trimmed, "#") {
				flush()
			}
		}
	}
	flush()
	return all
}

// plain is Markdown without its marks.
func plain(text string) string {
	text = codeSpan.ReplaceAllString(text, "`x`")
	text = pageLink.ReplaceAllString(text, "$1")
	return strings.ReplaceAll(htmlTag.ReplaceAllString(text, ""), "**", "")
}

// consolePassages are the texts of the console's pages: the values of a file of keys and texts.
func consolePassages(t *testing.T, name string) (all []passage) {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var texts map[string]string
	if err := json.Unmarshal(content, &texts); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for key, text := range texts {
		all = append(all, passage{"console", name + " " + key, 0, text})
	}
	return all
}

var (
	word     = regexp.MustCompile(`(^|[\s(])[A-Za-z][a-z]+([\s.,:;)]|$)`)
	codeLike = regexp.MustCompile(`\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|VALUES|PRAGMA|WHERE|JOIN|BEGIN)\b|[{<]/?[a-z]+ [a-z]+=|\bM[0-9]|=>`)
)

// prose reports whether a string of a program has three words or more and is no code.
func prose(s string) bool {
	spaced := strings.ReplaceAll(s, " ", "  ") // words may share no space
	return len(word.FindAllString(spaced, 3)) == 3 && !codeLike.MatchString(s)
}

var (
	failing = regexp.MustCompile(`(?i)err|fault|fail|invalid|problem|reject|refus|wrong|usage|conflict|missing|unknown|raise|panic|complain|forbid|denied|notfound|unavailable`)
	logging = regexp.MustCompile(`^(Info|Warn|Error|Debug|Log|LogAttrs|InfoContext|WarnContext|ErrorContext|warn|inform)$`)
	apiKeys = regexp.MustCompile(`^(Summary|Description|Doc|Title)$`)
	verb    = regexp.MustCompile(`%[-+# 0-9.*]*[a-zA-Z]`)
)

// goPassages are the comments of a file and its strings: help, API texts, errors, log lines and other output.
func goPassages(t *testing.T, name string) (all []passage) {
	t.Helper()
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if ast.IsGenerated(tree) {
		return nil
	}
	add := func(kind string, at token.Pos, text string) {
		all = append(all, passage{kind, name, set.Position(at).Line, text})
	}
	for _, group := range tree.Comments {
		for paragraph := range strings.SplitSeq(group.Text(), "\n\n") {
			if text := strings.Join(strings.Fields(paragraph), " "); text != "" && !strings.HasPrefix(paragraph, "\t") {
				add("comments", group.Pos(), text)
			}
		}
	}
	top, _, _ := strings.Cut(name, "/")
	if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(path.Dir(name), "test") || top == "bench" || top == "e2e" || top == "release" {
		return all
	}
	texts(tree, func(kind string, at token.Pos, text string) {
		if kind != "help" && !prose(text) {
			return
		}
		for line := range strings.SplitSeq(verb.ReplaceAllString(text, "X"), "\n") {
			add(kind, at, strings.TrimSpace(codeSpan.ReplaceAllString(line, "`x`")))
		}
	})
	return all
}

// texts calls add with each string of a file and its kind, joined where it is written in parts.
func texts(tree ast.Node, add func(kind string, at token.Pos, text string)) {
	var walk func(n ast.Node, kind string)
	walk = func(n ast.Node, kind string) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.Field:
				if n.Tag != nil {
					tag, _ := strconv.Unquote(n.Tag.Value)
					if help := reflect.StructTag(tag).Get("help"); help != "" {
						add("help", n.Tag.Pos(), help)
					}
					if doc := reflect.StructTag(tag).Get("doc"); doc != "" {
						add("api", n.Tag.Pos(), doc)
					}
				}
				walk(n.Type, kind)
				return false
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && apiKeys.MatchString(key.Name) {
					walk(n.Value, "api")
					return false
				}
			case *ast.CallExpr:
				called := calledName(n)
				next := kind
				switch {
				case logging.MatchString(called):
					next = "logs"
				case called == "policy", called == "described", called == "oneOf", called == "route", called == "get":
					next = "api"
				case failing.MatchString(called):
					next = "errors"
				}
				walk(n.Fun, kind)
				for _, arg := range n.Args {
					walk(arg, next)
				}
				return false
			case *ast.CompositeLit:
				if id, ok := n.Type.(*ast.Ident); ok && failing.MatchString(id.Name) && kind != "errors" {
					for _, e := range n.Elts {
						walk(e, "errors")
					}
					return false
				}
			case *ast.BinaryExpr:
				if text, ok := joined(n); ok {
					add(kind, n.Pos(), text)
					return false
				}
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
					add(kind, n.Pos(), text)
				}
			}
			return true
		})
	}
	walk(tree, "output")
}

// calledName is the last name of a call's function, with the package before it where that is fault or errors.
func calledName(call *ast.CallExpr) string {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		if x, ok := fun.X.(*ast.Ident); ok && (x.Name == "fault" || x.Name == "errors") {
			return x.Name + fun.Sel.Name
		}
		return fun.Sel.Name
	}
	return ""
}

// joined is the text of strings that are added, with X for what is no string.
func joined(e *ast.BinaryExpr) (text string, ok bool) {
	var parts func(e ast.Expr) string
	parts = func(e ast.Expr) string {
		switch e := e.(type) {
		case *ast.BinaryExpr:
			return parts(e.X) + parts(e.Y)
		case *ast.BasicLit:
			if s, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
				ok = true
				return s
			}
		}
		return "X"
	}
	if e.Op == token.ADD {
		text = parts(e)
	}
	return text, ok
}
