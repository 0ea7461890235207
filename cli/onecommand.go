package cli

import (
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// parseOne parses a command line by the one command that it names: to read the grammar of all of them takes longer than some commands do.
// It gives nil where that does not do, and leaves it to the whole grammar to say why: for help, for settings from a file or from the
// environment, which may be other commands', for the command that is about settings, and whatever is wrong.
func parseOne(args []string, env *Env) (*kong.Kong, *kong.Context) {
	asks := func(arg string) bool {
		return strings.HasPrefix(arg, "-h") || arg == "--help" || strings.HasPrefix(arg, "--config")
	}
	set := func(entry string) bool { return strings.HasPrefix(entry, envPrefix) }
	if len(args) == 0 || args[0] == "config" || slices.ContainsFunc(args, asks) || slices.ContainsFunc(os.Environ(), set) {
		return nil, nil
	}
	tree := grammarOf(args[0])
	if tree == nil {
		return nil, nil
	}
	parser, err := newParser(tree, env)
	if err != nil {
		return nil, nil
	}
	call, err := parser.Parse(spreadLists(parser.Model.Node, args))
	if err != nil {
		return nil, nil
	}
	return parser, call
}

// grammarOf is commands with no command but one, nil if there is none of that name.
func grammarOf(command string) any {
	var fields []reflect.StructField
	found := false
	for _, f := range reflect.VisibleFields(reflect.TypeFor[commands]()) {
		_, isCommand := f.Tag.Lookup("cmd")
		name := f.Tag.Get("name")
		if name == "" {
			name = strings.ToLower(f.Name)
		}
		if isCommand && name != command {
			continue
		}
		found = found || isCommand
		fields = append(fields, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag})
	}
	if !found {
		return nil
	}
	return reflect.New(reflect.StructOf(fields)).Interface()
}
