package cli

import (
	"context"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"edict/simulation/country"
	"edict/simulation/shelf"
)

// openfiscaCmd has the commands of openfisca under their names, with their flags and defaults.
type openfiscaCmd struct {
	Test  openfiscaTestCmd  `cmd:"" help:"Run YAML tests with the flags of openfisca test."`
	Serve openfiscaServeCmd `cmd:"" help:"Serve the web API with the flags of openfisca serve: simulation only, on port 5000."`
}

type openfiscaTestCmd struct {
	testCmd `embed:""`
}

// Run runs tests on the country package that is installed if none is named.
func (c *openfiscaTestCmd) Run(ctx context.Context, env *Env) error {
	if err := c.detect(c.DataConfig, env); err != nil {
		return err
	}
	return c.testCmd.Run(ctx, env)
}

type openfiscaServeCmd struct {
	Config            `embed:""`
	Port              int    `short:"p" placeholder:"PORT" help:"Port to listen on. Defaults to 5000 unless --bind or --listen is given."`
	Bind              string `short:"b" placeholder:"ADDR" help:"Address to listen on, HOST or HOST:PORT."`
	WelcomeMessage    string `placeholder:"TEXT" help:"Response text of the root path."`
	ConfigurationFile string `short:"f" hidden:""`
	TrackerURL        string `name:"tracker-url" hidden:""`
	TrackerIDSite     string `name:"tracker-idsite" hidden:""`
	TrackerToken      string `hidden:""`
	Workers           string `short:"w" hidden:""`
	Threads           string `hidden:""`
	Timeout           string `short:"t" hidden:""`
	Reload            bool   `hidden:""`
}

// Validate is called by the parser once all flags are set.
func (c *openfiscaServeCmd) Validate() error { return c.validate() }

// openfiscaPort is where openfisca serve listens.
const openfiscaPort = 5000

// Run serves simulation as openfisca serve does.
func (c *openfiscaServeCmd) Run(ctx context.Context, env *Env) error {
	if c.ConfigurationFile != "" {
		return &UsageError{"--configuration-file: the files of openfisca serve are Python and are not read; give their settings as flags, or in the YAML file of --config"}
	}
	if err := c.Simulation.detect(c.Server.DataConfig, env); err != nil {
		return err
	}
	if err := c.settle(env); err != nil {
		return err
	}
	return (&serveCmd{c.Config}).Run(ctx, env)
}

// settle turns the flags of openfisca into settings, and names those that have no meaning here.
func (c *openfiscaServeCmd) settle(env *Env) error {
	if c.Server.Only == "" {
		c.Server.Only = "simulation"
	}
	if c.WelcomeMessage != "" {
		c.Simulation.Welcome = c.WelcomeMessage
	}
	listen, err := openfiscaAddress(c.Server.Listen, c.Bind, c.Port)
	if err != nil {
		return err
	}
	c.Server.Listen = listen
	if c.TrackerURL+c.TrackerIDSite+c.TrackerToken != "" {
		fmt.Fprintln(env.Stderr, "edict: no effect: --tracker-url, --tracker-idsite and --tracker-token: requests are not reported to a tracker; see the log and --admin-listen")
	}
	if c.Workers+c.Threads != "" {
		fmt.Fprintln(env.Stderr, "edict: no effect: --workers and --threads: one process uses all cores; --simulation-concurrent bounds it")
	}
	if c.Timeout != "" || c.Reload {
		fmt.Fprintln(env.Stderr, "edict: no effect: --timeout and --reload: --simulation-timeout bounds a request; packages are read at the start")
	}
	return nil
}

// openfiscaAddress is where to listen: --bind beats --port beats --listen, which has its say unless it is the default.
func openfiscaAddress(listen, bind string, port int) (string, error) {
	if port < 0 || port > 65535 {
		return "", &UsageError{fmt.Sprintf("--port: %d is no port", port)}
	}
	host := "127.0.0.1"
	switch {
	case bind != "":
		if strings.HasPrefix(bind, "unix:") || strings.HasPrefix(bind, "fd:") {
			return "", &UsageError{"--bind: give HOST:PORT; sockets of other kinds are not supported"}
		}
		if _, _, err := net.SplitHostPort(bind); err == nil {
			return bind, nil
		}
		host = bind
	case port == 0 && listen != defaultListen:
		return listen, nil
	}
	if port == 0 {
		port = openfiscaPort
	}
	return net.JoinHostPort(host, strconv.Itoa(port)), nil
}

// detect chooses the country package that is installed if none is named, as openfisca does.
func (c *CountryConfig) detect(data DataConfig, env *Env) error {
	if c.Country != "" {
		return nil
	}
	found := installedCountries(data)
	switch len(found) {
	case 0:
		return &UsageError{"no country package is installed: name one with --country-package, or get one with \"edict country install NAME\""}
	case 1:
		c.Country = found[0]
		fmt.Fprintf(env.Stderr, "edict: country package %s\n", found[0])
		return nil
	}
	return &UsageError{"several country packages are installed (" + strings.Join(found, ", ") + "): name one with --country-package"}
}

// installedCountries are the packages with a legislation that edict has installed; without any, those that pip has.
func installedCountries(data DataConfig) []string {
	var found []string
	add := func(path string) {
		src, err := country.Open(path)
		if err == nil && src.IsCountry() && !slices.Contains(found, src.Name) {
			found = append(found, src.Name)
		}
	}
	if items, err := shelf.In(data.Data, time.Now).List(); err == nil {
		for _, item := range items {
			add(item.Path)
		}
	}
	if len(found) > 0 {
		return found
	}
	for _, dir := range siteDirectories() {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			name := e.Name()
			if strings.Contains(name, "openfisca") && name != "openfisca_core" && name != "openfisca_web_api" && packageIn(dir, name) != "" {
				add(packageIn(dir, name))
			}
		}
	}
	return found
}

// listFlags take several values in openfisca's way, one word after the other.
var listFlags = map[string]string{
	"-e": "--extension", "--extensions": "--extension", "-r": "--reform", "--reforms": "--reform",
	"-o": "--only-variables", "--only-variables": "--only-variables", "-i": "--ignore-variables", "--ignore-variables": "--ignore-variables",
}

// spreadLists repeats, in the commands that take openfisca's flags, those that have several values: "-e a b" is
// "-e a -e b". A word that is the path of a test ends the values, unless paths stand before the flag.
func spreadLists(root *kong.Node, args []string) []string {
	node, at := root, 0
	for at < len(args) {
		child := childNamed(node, args[at])
		if child == nil {
			break
		}
		node, at = child, at+1
	}
	if path := strings.Join(commandPath(node), " "); path != "test" && path != "openfisca test" && path != "openfisca serve" {
		return args
	}
	s := spreading{out: slices.Clone(args[:at]), in: args[at:], valued: valuedFlags(node)}
	for len(s.in) > 0 {
		s.step()
	}
	return s.out
}

func childNamed(node *kong.Node, name string) *kong.Node {
	for _, child := range node.Children {
		if child.Name == name {
			return child
		}
	}
	return nil
}

// valuedFlags are the flags of a command that are followed by a value.
func valuedFlags(node *kong.Node) map[string]bool {
	valued := map[string]bool{}
	for ; node != nil; node = node.Parent {
		for _, flag := range node.Flags {
			if flag.IsBool() {
				continue
			}
			valued["--"+flag.Name] = true
			for _, alias := range flag.Aliases {
				valued["--"+alias] = true
			}
			if flag.Short != 0 {
				valued["-"+string(flag.Short)] = true
			}
		}
	}
	return valued
}

type spreading struct {
	out, in []string
	valued  map[string]bool
	paths   bool // one was seen
}

func (s *spreading) step() {
	word := s.in[0]
	s.in = s.in[1:]
	flag, several := listFlags[word]
	switch {
	case word == "--":
		s.out, s.in = append(append(s.out, word), s.in...), nil
	case several:
		for n := 0; len(s.in) > 0 && !strings.HasPrefix(s.in[0], "-") && (n == 0 || s.paths || !isTestPath(s.in[0])); n++ {
			s.out = append(s.out, flag, s.in[0])
			s.in = s.in[1:]
		}
	case s.valued[word] && len(s.in) > 0:
		s.out = append(s.out, word, s.in[0])
		s.in = s.in[1:]
	default:
		s.paths = s.paths || !strings.HasPrefix(word, "-")
		s.out = append(s.out, word)
	}
}

func isTestPath(word string) bool {
	if strings.ContainsAny(word, `/\`) || strings.HasSuffix(word, ".yaml") || strings.HasSuffix(word, ".yml") {
		return true
	}
	_, err := os.Stat(word)
	return err == nil
}
