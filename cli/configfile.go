package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

// fileResolver gives the parser the values of the configuration file named by --config or EDICT_CONFIG, where neither
// the command line nor the environment has one.
type fileResolver struct{ values map[string]any }

// load reads the file. It is a hook of the parser, called when the command line and the environment are known.
// "config check" reads the file itself: its report is a result, not a wrong call.
func (r *fileResolver) load(call *kong.Context) (err error) {
	path := configPath(call)
	if node := call.Selected(); path == "" || node != nil && node.Target.Type() == reflect.TypeFor[configCheckCmd]() {
		return nil
	}
	r.values, err = readConfigFile(path, settings(call.Model))
	return err
}

// configPath returns the file that --config or EDICT_CONFIG names, "" without one.
func configPath(call *kong.Context) string {
	for _, flag := range call.Model.Flags {
		if path, ok := call.FlagValue(flag).(string); ok && flag.Name == "config" {
			return path
		}
	}
	return ""
}

// Validate is the parser's chance to refuse values; load has done it.
func (*fileResolver) Validate(*kong.Application) error { return nil }

// Resolve returns the file's value of a flag, nil when it has none or the environment has one.
func (r *fileResolver) Resolve(_ *kong.Context, parent *kong.Path, flag *kong.Flag) (any, error) {
	for _, env := range flag.Tag.Envs {
		if _, set := os.LookupEnv(env); set {
			return nil, nil
		}
	}
	if node := parent.Node(); node != nil && node.Parent != nil {
		return r.values[settingName(node, flag)], nil
	}
	return nil, nil
}

// readConfigFile returns the values of a file by the name of their settings. Every problem of the file is
// reported at once, each with file:line.
func readConfigFile(path string, known map[string]*kong.Flag) (map[string]any, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--config: %s; give a configuration file (\"edict config sample\" prints one)", unread(err))
	}
	f := configFile{path: path, known: known, values: map[string]any{}}
	f.read(string(text))
	if len(f.problems) > 0 {
		return nil, errors.Join(f.problems...)
	}
	return f.values, nil
}

type configFile struct {
	path     string
	known    map[string]*kong.Flag
	values   map[string]any
	problems []error
}

func (f *configFile) read(text string) {
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var doc, more yaml.Node
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return
	case err != nil:
		f.problems = append(f.problems, fmt.Errorf("%s: %w", f.path, err))
		return
	}
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) {
		f.complain(&more, "a second document; one file holds one configuration")
	}
	f.section("", doc.Content[0])
}

// section reads a mapping whose settings begin with prefix.
func (f *configFile) section(prefix string, node *yaml.Node) {
	if isNull(node) {
		return
	}
	if node.Kind != yaml.MappingNode {
		f.complain(node, "%s must hold keys and values", orTop(prefix))
		return
	}
	lines := map[string]int{}
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		name := strings.TrimPrefix(prefix+"."+key.Value, ".")
		if line, twice := lines[name]; twice {
			f.complain(key, "%s is given twice, first on line %d", name, line)
			continue
		}
		lines[name] = key.Line
		f.entry(name, key, value)
	}
}

func (f *configFile) entry(name string, key, value *yaml.Node) {
	if value.Kind == yaml.AliasNode {
		value = value.Alias
	}
	if flag, ok := f.known[name]; ok {
		f.setting(name, flag, value)
		return
	}
	if f.isSection(name) {
		f.section(name, value)
		return
	}
	names := slices.Sorted(maps.Keys(f.known))
	if near := nearestSetting(name, names); near != "" {
		f.complain(key, "unknown setting %s; did you mean %s?", name, near)
		return
	}
	f.complain(key, `unknown setting %s; "edict config sample" shows those there are`, name)
}

func (f *configFile) isSection(name string) bool {
	for known := range f.known {
		if strings.HasPrefix(known, name+".") {
			return true
		}
	}
	return false
}

// setting checks a value as the parser will, so that a problem is reported with its line.
func (f *configFile) setting(name string, flag *kong.Flag, node *yaml.Node) {
	value, ok := plain(node)
	if !ok {
		f.complain(node, "%s must be one value or a list of them", name)
		return
	}
	if value == nil {
		return
	}
	scan := kong.Scan().PushTyped(value, kong.FlagValueToken)
	target := reflect.New(flag.Target.Type()).Elem()
	if err := flag.Mapper.Decode(&kong.DecodeContext{Value: flag.Value, Scan: scan}, target); err != nil {
		f.complain(node, "%s: %v", name, err)
		return
	}
	if text, ok := value.(string); ok && flag.Enum != "" && !slices.Contains(flag.EnumSlice(), text) {
		f.complain(node, "%s: %q is none of %s", name, text, strings.Join(flag.EnumSlice(), ", "))
		return
	}
	f.values[name] = value
}

// plain returns a scalar as its text and a list as the texts of its scalars; null is nil.
func plain(node *yaml.Node) (value any, ok bool) {
	switch node.Kind {
	case yaml.ScalarNode:
		if isNull(node) {
			return nil, true
		}
		return node.Value, true
	case yaml.SequenceNode:
		list := make([]any, 0, len(node.Content))
		for _, item := range node.Content {
			if item.Kind != yaml.ScalarNode {
				return nil, false
			}
			list = append(list, item.Value)
		}
		return list, true
	default:
		return nil, false
	}
}

func isNull(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode && node.Tag == "!!null" }

func orTop(section string) string {
	if section == "" {
		return "the file"
	}
	return "section " + section
}

func (f *configFile) complain(at *yaml.Node, format string, args ...any) {
	f.problems = append(f.problems, fmt.Errorf("%s:%d: %s", f.path, at.Line, fmt.Sprintf(format, args...)))
}
