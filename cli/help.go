package cli

import (
	"errors"

	"github.com/alecthomas/kong"
)

// areas are the headings under which -h lists commands.
var areas = []kong.Group{
	{Key: "commands.server", Title: "Server:"},
	{Key: "commands.identity", Title: "Users and clients (next to a server, on its data):"},
	{Key: "commands.messaging", Title: "Messaging (as a client of a server):"},
	{Key: "commands.simulation", Title: "Simulation:"},
	{Key: "commands.watch", Title: "Watches:"},
	{Key: "commands.data", Title: "Data:"},
	{Key: "commands.program", Title: "This program:"},
}

// helpCmd is "edict help": the same as -h behind a command.
type helpCmd struct {
	Command []string `arg:"" optional:"" help:"Command, such as serve or user create. Without it, help lists all commands."`
}

// Run prints the help of the command.
func (c *helpCmd) Run(env *Env) error {
	parser, err := newParser(new(commands), env)
	if err != nil {
		return err
	}
	_, err = parser.Parse(append(c.Command, "-h"))
	if wrong, ok := errors.AsType[*kong.ParseError](err); ok && !errors.Is(err, errHelp) {
		return &UsageError{mistake(wrong.Context, err).Error()}
	}
	return nil
}
