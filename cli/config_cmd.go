package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
)

type configCmd struct {
	Check  configCheckCmd  `cmd:"" help:"Check a configuration file without starting the server."`
	Sample configSampleCmd `cmd:"" help:"Print a sample configuration file with all settings and defaults."`
}

type configCheckCmd struct {
	File string `arg:"" optional:"" placeholder:"FILE" help:"Configuration file (YAML). Defaults to --config or EDICT_CONFIG."`
}

// Run parses the file exactly as serve does, environment included.
func (c *configCheckCmd) Run(env *Env, call *kong.Context) error {
	if c.File == "" {
		c.File = configPath(call)
	}
	if c.File == "" {
		return &UsageError{"name the configuration file: edict config check FILE"}
	}
	parser, err := newParser(new(commands), env)
	if err != nil {
		return err
	}
	if _, err := parser.Parse([]string{"serve", "--config", c.File}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(env.Stdout, "%s: ok\n", c.File)
	return err
}

type configSampleCmd struct{}

// Run prints the sample file.
func (configSampleCmd) Run(env *Env, call *kong.Context) error {
	return writeSample(env.Stdout, call.Model)
}

const sampleHead = `# Configuration of edict, with every setting at its default.
#
#   edict serve --config FILE      or      EDICT_CONFIG=FILE edict serve
#
# Flags override the environment, which overrides this file. "edict config check FILE" checks a file.
# Flags that belong to one command can be set too, under the command's name: {token: {create: {ttl: 2h}}}.
`

// writeSample writes every setting of the serve command with its help, its flag, its variable and its default.
func writeSample(w io.Writer, model *kong.Application) error {
	var b strings.Builder
	b.WriteString(sampleHead)
	for _, s := range sections {
		flags := slices.DeleteFunc(slices.Clone(serveNode(model).Flags), func(f *kong.Flag) bool { return f.Group == nil || f.Group.Key != s.Key })
		if len(flags) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s:\n", s.Key)
		for _, flag := range flags {
			for line := range wrap(flag.Help, 100) {
				fmt.Fprintf(&b, "  # %s\n", line)
			}
			key := strings.TrimPrefix(flag.Name, flag.Tag.Prefix)
			fmt.Fprintf(&b, "  # --%s  %s\n  %s: %s\n", flag.Name, strings.Join(flag.Envs, " "), key, sampleValue(flag))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func serveNode(model *kong.Application) *kong.Node {
	for _, node := range model.Children {
		if node.Name == "serve" {
			return node
		}
	}
	return &kong.Node{}
}

// sampleValue writes a default as YAML.
func sampleValue(flag *kong.Flag) string {
	switch {
	case flag.IsSlice():
		return sampleList(flag.Default)
	case flag.IsBool() && flag.Default == "":
		return "false"
	case flag.Default == "":
		return `""`
	default:
		return flag.Default
	}
}

// sampleList writes the elements of a default as a YAML list, those in quotes that YAML would take for something else.
func sampleList(text string) string {
	var all []string
	for one := range strings.SplitSeq(text, ",") {
		if strings.HasPrefix(one, "*") {
			one = strconv.Quote(one)
		}
		all = append(all, one)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// wrap yields the lines of a text, broken at spaces to at most width bytes where words allow.
func wrap(text string, width int) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		line := ""
		for word := range strings.FieldsSeq(text) {
			if line != "" && len(line)+1+len(word) > width {
				if !yield(line) {
					return
				}
				line = ""
			}
			line = strings.TrimPrefix(line+" "+word, " ")
		}
		if line != "" {
			yield(line)
		}
	}
}
