package cli

// commands is the command tree. A command is one field here and one file named after it: a struct whose
// tags are its flags and arguments, and Run(ctx context.Context, env *Env) error. Only commands that work
// are listed. CONTRIBUTING.md shows how to add one.
type commands struct {
	Help   helpFlag `short:"h" help:"Show the help of a command."`
	Config string   `placeholder:"FILE" help:"Read settings from this YAML file."`

	// The server and its settings.

	Serve     serveCmd  `cmd:"" group:"commands.server" help:"Run the services until SIGTERM or SIGINT."`
	ConfigCmd configCmd `cmd:"" group:"commands.server" name:"config" help:"Check a configuration file, or print one to start from."`
	Ready     readyCmd  `cmd:"" group:"commands.server" help:"Exit with status 0 if a server is ready, for health checks."`

	// Identity.

	User    userCmd    `cmd:"" group:"commands.identity" help:"Create, list, disable and delete users; set passwords."`
	Client  clientCmd  `cmd:"" group:"commands.identity" help:"Register, list and delete applications that sign users in."`
	Token   tokenCmd   `cmd:"" group:"commands.identity" help:"Issue access tokens."`
	Session sessionCmd `cmd:"" group:"commands.identity" help:"List and end a user's sessions."`
	Audit   auditCmd   `cmd:"" group:"commands.identity" help:"Print the audit trail, newest first."`

	// Messaging, as a client of a server.

	Channel   channelCmd   `cmd:"" group:"commands.messaging" help:"Create, show, change and delete channels; manage members, invitations and bans."`
	Item      itemCmd      `cmd:"" group:"commands.messaging" help:"List, correct and delete a channel's items."`
	Publish   publishCmd   `cmd:"" group:"commands.messaging" help:"Publish an item to a channel and print its id."`
	Subscribe subscribeCmd `cmd:"" group:"commands.messaging" help:"Print items of channels live."`
	Send      sendCmd      `cmd:"" group:"commands.messaging" help:"Send a direct message and print its id."`
	Admin     adminCmd     `cmd:"" group:"commands.messaging" help:"Show server status, any channel's events and deliveries. For admins."`

	// Simulation.

	Calculate  calculateCmd  `cmd:"" group:"commands.simulation" help:"Compute the variables that a household requests."`
	Calibrate  calibrateCmd  `cmd:"" group:"commands.simulation" help:"Change a sample's weights so that they give known totals."`
	Check      checkCmd      `cmd:"" group:"commands.simulation" help:"Load a country package and list its problems."`
	CountryCmd countryCmd    `cmd:"" group:"commands.simulation" name:"country" help:"Install, list and remove country packages."`
	Population populationCmd `cmd:"" group:"commands.simulation" help:"Compute variables for a file of persons."`
	Test       testCmd       `cmd:"" group:"commands.simulation" help:"Run the YAML tests of a country package."`
	Openfisca  openfiscaCmd  `cmd:"" group:"commands.simulation" name:"openfisca" help:"Accept the openfisca command line, so that scripts change one word."`

	ComputePopulation computePopulationCmd `cmd:"" hidden:"" help:"Compute a population for the server that started this process."`

	// Both services together.

	Watch watchCmd `cmd:"" group:"commands.watch" help:"Manage watches: saved households whose owners are notified when the law changes their figures."`

	// Care of the data.

	Backup  backupCmd  `cmd:"" group:"commands.data" help:"Write a server's data and installed country packages to a file. Works while the server runs."`
	Restore restoreCmd `cmd:"" group:"commands.data" help:"Restore a backup into a new data directory."`
	Store   storeCmd   `cmd:"" group:"commands.data" help:"Copy users and messages between a data directory and PostgreSQL; reset streams after a restore."`

	// The program itself.

	HelpCmd    helpCmd       `cmd:"" group:"commands.program" name:"help" help:"Show the help of a command, or list all commands."`
	Completion completionCmd `cmd:"" group:"commands.program" help:"Print a completion script for a shell."`
	Man        manCmd        `cmd:"" hidden:"" help:"Write manual pages of all commands, for packages."`

	Version versionCmd `cmd:"" group:"commands.program" help:"Print version, commit and Go version."`
}
