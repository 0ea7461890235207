package cli

import (
	"context"
	"io"
	"maps"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"edict/platform/web"
)

// ParseServe parses the arguments of serve without running it. It returns the configuration and the settings that
// the file gave.
func ParseServe(args ...string) (Config, map[string]bool, error) {
	tree := new(commands)
	parser, err := newParser(tree, &Env{Stdout: io.Discard, Stderr: io.Discard, Now: time.Now})
	if err != nil {
		return Config{}, nil, err
	}
	if _, err := parser.Parse(append([]string{"serve"}, args...)); err != nil {
		return Config{}, nil, err
	}
	given := map[string]bool{}
	if tree.Config != "" {
		values, err := readConfigFile(tree.Config, settings(parser.Model))
		if err != nil {
			return Config{}, nil, err
		}
		for name := range values {
			given[name] = true
		}
	}
	return tree.Serve.Config, given, nil
}

// ServeSettings returns the name of every setting of serve.
func ServeSettings() []string {
	var names []string
	parser := mustParser()
	for _, flag := range serveNode(parser.Model).Flags {
		names = append(names, settingName(serveNode(parser.Model), flag))
	}
	slices.Sort(names)
	return names
}

// knownSettings are the settings of all commands. A parser takes milliseconds to build.
var knownSettings = sync.OnceValue(func() map[string]*kong.Flag { return settings(mustParser().Model) })

// Settings returns the name of every setting of every command.
func Settings() []string { return slices.Sorted(maps.Keys(knownSettings())) }

// SettingEnv returns the environment variable of a setting.
func SettingEnv(name string) string {
	if flag, ok := knownSettings()[name]; ok {
		return strings.Join(flag.Envs, " ")
	}
	return ""
}

// ProgressLine is progressLine.
func ProgressLine(n int, share float64, what string, passed time.Duration, columns int) string {
	return progressLine(n, share, what, passed, columns)
}

// Nearest is nearestSetting.
func Nearest(name string, known ...string) string { return nearestSetting(name, known) }

// ReadConfig reads the text of a configuration file.
func ReadConfig(text string) []error {
	f := configFile{path: "edict.yaml", known: knownSettings(), values: map[string]any{}}
	f.read(text)
	return f.problems
}

// Complete is Build.complete.
func (b Build) Complete(info *debug.BuildInfo) Build { return b.complete(info, info != nil) }

func mustParser() *kong.Kong {
	parser, err := newParser(new(commands), &Env{Stdout: io.Discard, Stderr: io.Discard, Now: time.Now})
	if err != nil {
		panic(err)
	}
	return parser
}

// DefaultData is what serve --demo takes for "no directory was given".
const DefaultData = defaultData

// FlagsAndVariables returns the names of all flags of all commands, and of the variables that set them.
func FlagsAndVariables() (flags, variables map[string]bool) {
	flags, variables = map[string]bool{"help": true}, map[string]bool{}
	_ = kong.Visit(mustParser().Model, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok {
			flags[flag.Name] = true
			for _, alias := range flag.Aliases {
				flags[alias] = true
			}
			for _, env := range flag.Envs {
				variables[env] = true
			}
		}
		return next(nil)
	})
	return flags, variables
}

// AskInside returns the status of an answer, 0 for none.
func AskInside(ctx context.Context, server http.Handler) (int, error) {
	answer, err := askInside(ctx, server, "/", nil, "")
	if answer == nil {
		return 0, err
	}
	return answer.status, err
}

// HashOfLaw returns the hash by which a process that computes a population knows the legislation of its server.
func (c CountryConfig) HashOfLaw(ctx context.Context) (string, error) {
	pkg, _, err := c.system(ctx, DataConfig{})
	if err != nil {
		return "", err
	}
	return c.lawHash(pkg)
}

// AskPip asks the machine's pip for its index.
var AskPip = askPip

// CheckDemo checks where a demonstration listens.
var CheckDemo = (*Config).checkDemo

// ShowOverview writes an overview for a reader.
var ShowOverview = showOverview

// ServeFlags returns the names of the flags of serve.
func ServeFlags() []string {
	var names []string
	for _, flag := range serveNode(mustParser().Model).Flags {
		names = append(names, flag.Name)
	}
	return names
}

// Command is a command of the command line as pages write it.
type Command struct{ node *kong.Node }

// Root returns the command line itself.
var Root = sync.OnceValue(func() Command { return Command{mustParser().Model.Node} })

// Below returns the command of that name below c, which may be hidden.
func (c Command) Below(name string) (Command, bool) {
	node := childNamed(c.node, name)
	return Command{node}, node != nil
}

// IsGroup reports whether c only holds other commands.
func (c Command) IsGroup() bool { return len(c.node.Children) > 0 && c.node.DefaultCmd == nil }

// Takes reports whether c takes a flag, written as --name or -x.
func (c Command) Takes(flag string) bool {
	takes := func(node *kong.Node) bool {
		return slices.ContainsFunc(node.Flags, func(f *kong.Flag) bool {
			name := strings.TrimPrefix(flag, "--")
			return name == f.Name || slices.Contains(f.Aliases, name) || name == "no-"+f.Name && f.Tag.Negatable != "" || flag == "-"+string(f.Short)
		})
	}
	for node := c.node; node != nil; node = node.Parent {
		if takes(node) {
			return true
		}
	}
	return c.node.DefaultCmd != nil && takes(c.node.DefaultCmd)
}

// Routes returns the routes of a started server, those of the administration excluded.
func (s *Server) Routes() []*web.Route { return s.web.Routes() }
