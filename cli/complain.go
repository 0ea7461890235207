package cli

// A wrong call is answered in at most five lines, so that the complaint stays on the screen: what is wrong with the nearest
// command or flag, the usage, and how to get help.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"edict/platform/nearest"
)

// maxComplaint is the number of lines of a complaint; usage and help follow it.
const maxComplaint = 3

// complain prints what is wrong with a call, and the usage of its command, on standard error.
func complain(call *kong.Context, err error, env *Env) int {
	node := chosen(call)
	text := strings.TrimPrefix(strings.TrimSpace(err.Error()), node.Name+": ") // which the parser puts before what Validate returns
	lines := strings.Split(text, "\n")
	if more := len(lines) - maxComplaint; more > 0 {
		lines = append(lines[:maxComplaint-1], fmt.Sprintf("… and %d more", more+1))
	}
	fmt.Fprintln(env.Stderr, "edict:", strings.Join(lines, "\n"))
	usage, what := node.Summary(), "flags"
	if len(node.Children) > 0 {
		what = "commands"
	}
	if node.Parent != nil {
		usage = " " + usage
	}
	fmt.Fprintf(env.Stderr, "Usage: %s%s\n", call.Model.Name, usage)
	fmt.Fprintf(env.Stderr, "Run %q for its %s.\n", strings.Join(append([]string{call.Model.Name}, append(namesTo(node), "-h")...), " "), what)
	return exitUsage
}

// joinNegatives writes a flag and the negative number behind it as one word, since the parser takes -1 for a flag.
func joinNegatives(args []string) []string {
	var out []string
	for i, arg := range args {
		if arg == "--" {
			return append(out, args[i:]...)
		}
		if last := len(out) - 1; last >= 0 && strings.HasPrefix(out[last], "--") && !strings.Contains(out[last], "=") && negative.MatchString(arg) {
			out[last] += "=" + arg
			continue
		}
		out = append(out, arg)
	}
	return out
}

var negative = regexp.MustCompile(`^-[0-9.]`)

// chosen returns the command that a call names, the root when it names none.
func chosen(call *kong.Context) *kong.Node {
	if node := call.Selected(); node != nil {
		return node
	}
	return call.Model.Node
}

// namesTo returns the names of the commands from below the root to node.
func namesTo(node *kong.Node) []string {
	if node.Parent == nil {
		return nil
	}
	return append(namesTo(node.Parent), node.Name)
}

// mistake puts the parser's complaints about commands in better words: it knows the commands of one level only.
func mistake(call *kong.Context, err error) error {
	node := chosen(call)
	visible := slices.DeleteFunc(slices.Clone(node.Children), func(child *kong.Node) bool { return child.Hidden })
	if len(visible) == 0 {
		return err
	}
	if strings.HasPrefix(err.Error(), "expected one of ") {
		if node.Parent == nil {
			return fmt.Errorf("give a command, such as %s or %s", visible[0].Name, visible[len(visible)-1].Name)
		}
		var names []string
		for _, child := range visible {
			names = append(names, child.Name)
		}
		return fmt.Errorf("give a command of %s: %s", strings.Join(namesTo(node), " "), strings.Join(names, ", "))
	}
	rest, ok := strings.CutPrefix(err.Error(), "unexpected argument ")
	if !ok {
		return err
	}
	word, _, _ := strings.Cut(rest, ", did you mean ")
	wrong := strings.Join(append(namesTo(node), word), " ")
	if near := nearestCommand(call.Model.Node, node, word); near != "" {
		return fmt.Errorf("there is no command %q, did you mean %q?", wrong, near)
	}
	return fmt.Errorf("there is no command %q", wrong)
}

// nearestCommand returns the command that a word most likely means: one below node, else one below any other command, by its
// whole name or the last word of it; "" when none is near.
func nearestCommand(root, node *kong.Node, word string) string {
	for i, from := range []*kong.Node{node, root} {
		paths := map[string]string{} // by last word
		var words []string
		for _, c := range listCommands(from, strings.Join(namesTo(from), " "))[1:] {
			path := strings.TrimSpace(c.path)
			if i == 0 && c.node.Parent != node {
				continue // first those of this level
			}
			if _, known := paths[c.node.Name]; !known {
				paths[c.node.Name] = path
				words = append(words, c.node.Name)
			}
		}
		if begun := slices.IndexFunc(words, func(name string) bool { return len(word) > 1 && strings.HasPrefix(name, word) }); begun >= 0 {
			return paths[words[begun]]
		}
		if near := nearest.Name(word, slices.Values(words)); near != "" {
			return paths[near]
		}
	}
	return ""
}
