package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// completionCmd is "edict completion": what shells need to complete commands and flags, made of the command tree.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"Shell: bash, zsh or fish."`
}

// Run prints the script.
func (c *completionCmd) Run(env *Env) error {
	parser, err := newParser(new(commands), env)
	if err != nil {
		return err
	}
	write := map[string]func(io.Writer, []command){"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}
	var b strings.Builder
	write[c.Shell](&b, listCommands(parser.Model.Node, "edict"))
	_, err = io.WriteString(env.Stdout, b.String())
	return err
}

// command is a command with what may follow it.
type command struct {
	path  string // "edict country install"
	node  *kong.Node
	words []word
}

// word is a command or a flag that may follow.
type word struct{ text, help string }

// listCommands returns a command and all below it, parents first, without hidden ones.
func listCommands(node *kong.Node, path string) []command {
	c := command{path: path, node: node}
	var below []command
	for _, child := range node.Children {
		if child.Hidden || child.Type != kong.CommandNode {
			continue
		}
		c.words = append(c.words, word{child.Name, child.Help})
		below = append(below, listCommands(child, path+" "+child.Name)...)
	}
	for _, group := range node.AllFlags(true) {
		for _, flag := range group {
			c.words = append(c.words, word{"--" + flag.Name, flag.Help})
		}
	}
	return append([]command{c}, below...)
}

// texts are the words alone.
func (c command) texts() string {
	var texts []string
	for _, w := range c.words {
		texts = append(texts, w.text)
	}
	return strings.Join(texts, " ")
}

// paths are the commands below the first, as patterns of a case.
func paths(list []command) string {
	var quoted []string
	for _, c := range list[1:] {
		quoted = append(quoted, `"`+c.path+`"`)
	}
	return strings.Join(quoted, " | ")
}

func bashCompletion(w io.Writer, list []command) {
	fmt.Fprintf(w, `# bash completion of edict: . <(edict completion bash)
_edict() {
	local path=edict word
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		case "$path $word" in
		%s) path="$path $word" ;;
		esac
	done
	local words=
	case "$path" in
`, paths(list))
	for _, c := range list {
		fmt.Fprintf(w, "\t\"%s\") words=\"%s\" ;;\n", c.path, c.texts())
	}
	fmt.Fprint(w, `	esac
	COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _edict edict
`)
}

func zshCompletion(w io.Writer, list []command) {
	fmt.Fprintf(w, `#compdef edict
# zsh completion of edict: a file _edict in a directory of fpath
_edict() {
	local at=edict word
	local -a found
	for word in "${words[@]:1:CURRENT-2}"; do
		case "$at $word" in
		%s) at="$at $word" ;;
		esac
	done
	case "$at" in
`, paths(list))
	for _, c := range list {
		fmt.Fprintf(w, "\t\"%s\") found=(", c.path)
		for _, word := range c.words {
			fmt.Fprintf(w, " '%s:%s'", word.text, strings.NewReplacer("'", `'\''`, ":", `\:`).Replace(word.help))
		}
		fmt.Fprintln(w, " ) ;;")
	}
	fmt.Fprint(w, `	esac
	_describe -t words edict found || _files
}
if [ "$funcstack[1]" = _edict ]; then _edict "$@"; else compdef _edict edict; fi
`)
}

func fishCompletion(w io.Writer, list []command) {
	fmt.Fprintf(w, `# fish completion of edict: edict completion fish | source
function __edict_at
	set -l at edict
	for word in (commandline -opc)[2..-1]
		switch "$at $word"
			case %s
				set at "$at $word"
		end
	end
	test "$at" = "$argv[1]"
end
`, strings.ReplaceAll(paths(list), " | ", " "))
	for _, c := range list {
		for _, word := range c.words {
			what := "-f -a " + word.text
			if flag, ok := strings.CutPrefix(word.text, "--"); ok {
				what = "-l " + flag
			}
			help := strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(word.help)
			fmt.Fprintf(w, "complete -c edict -n '__edict_at \"%s\"' %s -d '%s'\n", c.path, what, help)
		}
	}
}

// manCmd is "edict man", which packages are made with.
type manCmd struct {
	Dir string `arg:"" help:"Directory to write to."`
}

// Run writes a page for every command.
func (c *manCmd) Run(env *Env) error {
	parser, err := newParser(new(commands), env)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return err
	}
	list := listCommands(parser.Model.Node, "edict")
	for _, one := range list {
		name := strings.ReplaceAll(one.path, " ", "-")
		if err := os.WriteFile(filepath.Join(c.Dir, name+".1"), []byte(one.page(list, cmp.Or(env.Build.Version, "devel"))), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// page is the manual page of a command.
func (c command) page(list []command, version string) string {
	var b strings.Builder
	name := strings.ReplaceAll(c.path, " ", "-")
	fmt.Fprintf(&b, ".TH %s 1 \"\" %s\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %s\n%s\n", roff(strings.ToUpper(name)), roff("edict "+version), roff(name),
		roff(strings.TrimSuffix(c.node.Help, ".")), roff(c.path), roff(strings.TrimPrefix(c.node.Summary(), strings.TrimPrefix(c.path, "edict "))))
	if c.node.Detail != "" {
		fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", roff(c.node.Detail))
	}
	b.WriteString(".SH OPTIONS\n")
	for _, group := range c.node.AllFlags(true) {
		for _, flag := range group {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(flag.String())), roff(describe(flag.Value)))
		}
	}
	b.WriteString(".SH SEE ALSO\n")
	var others []string
	for _, other := range list {
		if parent := c.path[:max(0, strings.LastIndex(c.path, " "))]; other.path == parent || strings.HasPrefix(other.path, c.path+" ") {
			others = append(others, "\\fB"+roff(strings.ReplaceAll(other.path, " ", "-"))+"\\fR(1)")
		}
	}
	slices.Sort(others)
	b.WriteString(strings.Join(others, ", ") + "\n")
	return b.String()
}

// roff is a text for a manual page: no line of it is an instruction.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
