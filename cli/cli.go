// Package cli is the command line of edict and the wiring of its parts; it holds no rules of its own.
//
// Each command is a struct in a file of its own with a Run method; the tree is the type commands.
// What serve can be told is the type Config: every field is at once a flag, an EDICT_ environment
// variable and a key of the configuration file, and a flag beats the environment beats the file.
// Server is "edict serve" as a value, so that tests start the real thing on a free port.
//
// Standard output carries results alone (for serve: the one line that says where it listens), standard
// error everything else. Exit status: 0 done, 1 the work failed, 2 the call was wrong; 3 from
// population merge: the parts have to be computed again.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"edict/platform/web"
	"edict/simulation/population"
)

// Exit statuses.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	exitAgain  = 3 // population merge: the parts have to be computed again
)

// Env is the world a command runs in. Tests give their own.
type Env struct {
	Stdin  io.Reader
	Stdout io.Writer // results, alone
	Stderr io.Writer // logs, progress, complaints
	Now    func() time.Time
	Build  Build

	// Program is the file of this program, which a server starts again to compute populations; "" where there is none to start,
	// which has the server compute them itself.
	Program string

	Services []web.Service // served beside those of the parts; for tests
}

// Main runs the process's command line and returns its exit status. The first SIGINT, SIGTERM or SIGHUP cancels
// the command's context; another SIGINT or SIGTERM ends the process at once. SIGHUP, which a terminal that goes away may send
// twice, means nothing then, nor to a process that was told to ignore it, as nohup does. Tests may add services to those of serve.
func Main(build Build, services ...web.Service) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if !signal.Ignored(syscall.SIGHUP) {
		var end context.CancelFunc
		ctx, end = signal.NotifyContext(ctx, syscall.SIGHUP)
		defer end()
	}
	defer context.AfterFunc(ctx, stop)()
	return Run(ctx, os.Args[1:], &Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Now: time.Now, Build: build, Program: thisProgram(), Services: services,
	})
}

// Run runs one command line in env and returns its exit status.
func Run(ctx context.Context, args []string, env *Env) int {
	args = joinNegatives(args)
	_, call := parseOne(args, env)
	if call == nil {
		parser, err := newParser(new(commands), env)
		if err != nil {
			fmt.Fprintln(env.Stderr, "edict:", err)
			return exitFailed
		}
		if call, err = parser.Parse(spreadLists(parser.Model.Node, args)); err != nil {
			return refuse(err, env)
		}
		warnOfVariables(parser.Model, env)
	}
	call.BindTo(ctx, (*context.Context)(nil))
	switch err := call.Run(); {
	case err == nil:
		return exitDone
	case errors.As(err, new(*UsageError)):
		return complain(call, err, env)
	case errors.As(err, new(*population.UnsettledError)):
		fmt.Fprintln(env.Stderr, "edict:", err)
		return exitAgain
	case err == context.Canceled: //nolint:errorlint // one that says more is printed
		fmt.Fprintln(env.Stderr, "edict: interrupted")
		return exitFailed
	default:
		fmt.Fprintln(env.Stderr, "edict:", unread(err))
		return exitFailed
	}
}

// UsageError is what a command's Run returns when the call itself is wrong in a way that the parser
// cannot see. It ends the process with status 2 and the usage of the command, in at most five lines.
type UsageError struct{ Message string }

// Error returns the message.
func (e *UsageError) Error() string { return e.Message }

func newParser(tree any, env *Env) (*kong.Kong, error) {
	file := new(fileResolver)
	return kong.New(tree,
		kong.Name("edict"),
		kong.Description("Channels, direct messages and tax-benefit simulations in one server."),
		kong.NoDefaultHelp(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 110}),
		kong.ValueFormatter(describe),
		kong.ExplicitGroups(append(sectionGroups(), areas...)),
		kong.Writers(env.Stdout, env.Stderr),
		kong.PostBuild(nameVariables),
		kong.WithBeforeResolve(file.load),
		kong.Resolvers(file),
		kong.Bind(env),
	)
}

// describe is the help of a flag: its meaning, its default, its variable.
func describe(value *kong.Value) string {
	var facts []string
	if value.Default != "" {
		facts = append(facts, value.Default)
	}
	for _, env := range value.Tag.Envs {
		facts = append(facts, "$"+env)
	}
	if len(facts) == 0 {
		return value.Help
	}
	return value.Help + " [" + strings.Join(facts, ", ") + "]"
}

// refuse answers a command line that could not be parsed. Help arrives here too: it ends parsing.
func refuse(err error, env *Env) int {
	if errors.Is(err, errHelp) {
		return exitDone
	}
	wrong, ok := errors.AsType[*kong.ParseError](err)
	if !ok {
		fmt.Fprintln(env.Stderr, "edict:", err)
		return exitUsage
	}
	return complain(wrong.Context, mistake(wrong.Context, err), env)
}

// errHelp ends parsing once help has been printed.
var errHelp = errors.New("help was asked for")

// helpFlag prints the help of the command it stands behind, whatever that command still lacks.
type helpFlag bool

// BeforeReset is called by the parser before anything is checked.
func (helpFlag) BeforeReset(call *kong.Context) error {
	if err := call.PrintUsage(false); err != nil {
		return err
	}
	return errHelp
}
